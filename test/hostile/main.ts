import { parseArgs } from 'node:util';
import { campaign } from './campaign.ts';

const { values } = parseArgs({
  options: {
    /** How long the tenant continues. */
    seconds: { type: 'string', default: '3600' },
    /** The same seed makes the same resources. */
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
  },
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const log = (line: string): void => console.log(line);
const wrongs = await campaign({ seconds: Number(values.seconds), seed: Number(values.seed), log });
for (const wrong of wrongs) log(`wrong: ${wrong}`);
log(wrongs.length === 0 ? 'all as promised' : `${wrongs.length} wrong; again with --seed ${values.seed}`);
process.exitCode = wrongs.length === 0 ? 0 : 1;
