import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLoad } from './load.ts';

const USAGE = `usage: load --url=http://HOST/v1/chat/completions --model=NAME
  --workers=2           how many ask at the same time
  --tokens=40           of each answer
  --prompt=TEXT
  --stream              by server-sent events
  --keep-alive          keep connections; else a new one for each request
  --timeout=60          seconds for a whole answer
  --seconds=N           how long; else until SIGTERM`;

/** Asks until SIGTERM, or for some seconds, and prints its report as one line of JSON. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      model: { type: 'string' },
      workers: { type: 'string', default: '2' },
      tokens: { type: 'string', default: '40' },
      prompt: { type: 'string', default: 'Say something.' },
      stream: { type: 'boolean', default: false },
      'keep-alive': { type: 'boolean', default: false },
      timeout: { type: 'string', default: '60' },
      seconds: { type: 'string' },
    },
  });
  const { url, model, prompt, stream } = values;
  if (url === undefined || model === undefined) throw new Error('--url and --model must be given');
  const seconds = values.seconds === undefined ? undefined : positive('seconds', values.seconds);
  const ends = Promise.race([
    ...['SIGTERM', 'SIGINT'].map((signal) => once(process, signal)),
    ...(seconds === undefined ? [] : [sleep(seconds * 1_000)]),
  ]);
  const load = startLoad({
    url,
    model,
    prompt,
    stream,
    workers: positive('workers', values.workers),
    tokens: positive('tokens', values.tokens),
    keepAlive: values['keep-alive'],
    timeout: positive('timeout', values.timeout) * 1_000,
  });
  await ends;
  console.log(JSON.stringify(await load.stop()));
  process.exit(0);
}

function positive(flag: string, text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`--${flag} is ${JSON.stringify(text)}; give a number above 0`);
}

try {
  await main();
} catch (error) {
  console.error(`${(error as Error).message}\n${USAGE}`);
  process.exitCode = 2;
}
