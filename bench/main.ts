import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Bench, type Round } from './bench.ts';
import { broken } from './gates.ts';
import { line, report } from './report.ts';

const { values } = parseArgs({
  options: {
    /** Sizes, in numbers of resources. */
    counts: { type: 'string', default: '100,500' },
    rounds: { type: 'string', default: '3' },
    /** Where the report goes, as JSON. */
    out: { type: 'string' },
  },
});

const say = (text: string): void => console.error(text);

async function measure(counts: readonly number[], times: number): Promise<readonly Round[]> {
  await using bench = await Bench.open(Math.max(...counts), say);
  const rounds: Round[] = [];
  for (let time = 1; time <= times; time += 1) {
    // Sizes in turn, so that a machine that grows slower does so for all of them.
    for (const count of counts) {
      const round = await bench.round(count);
      rounds.push(round);
      say(`round ${time} of ${times}: ${line(round)}`);
    }
  }
  return rounds;
}

const result = report(await measure(values.counts.split(',').map(Number), Number(values.rounds)));
const text = `${JSON.stringify(result, undefined, 2)}\n`;
if (values.out === undefined) process.stdout.write(text);
else writeFileSync(values.out, text);
for (const medians of result.medians) say(line(medians));
const failures = result.medians.flatMap(broken);
for (const failure of failures) say(`FAILED ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
