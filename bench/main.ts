import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Bench, type Round } from './bench.ts';
import { broken, missed } from './gates.ts';
import { line, type Measured, report } from './report.ts';

const { values } = parseArgs({
  options: {
    /** Sizes, in numbers of resources. */
    counts: { type: 'string', default: '100,500' },
    rounds: { type: 'string', default: '3' },
    /** Measures a careful operator in Go as well, which is built first: see careful/main.go. */
    beside: { type: 'boolean', default: false },
    /** Where the report goes, as JSON. */
    out: { type: 'string' },
  },
});

const WARM_UP = 50;

const say = (text: string): void => console.error(text);

async function measure(counts: readonly number[], times: number): Promise<Measured> {
  await using bench = await Bench.open(Math.max(...counts), say, values.beside);
  const rounds: Round[] = [];
  // What is compiled, and what is filled, at first use.
  await bench.round(WARM_UP);
  for (let time = 1; time <= times; time += 1) {
    // Sizes in turn, so that a machine that grows slower does so for all of them.
    for (const count of counts) {
      const round = await bench.round(count);
      rounds.push(round);
      say(`round ${time} of ${times}: ${line(round)}`);
    }
  }
  return { rounds, isApart: bench.isApart };
}

const result = report(await measure(values.counts.split(',').map(Number), Number(values.rounds)));
const text = `${JSON.stringify(result, undefined, 2)}\n`;
if (values.out === undefined) process.stdout.write(text);
else writeFileSync(values.out, text);
for (const medians of result.medians) say(line(medians));
for (const aim of result.medians.flatMap(missed)) say(`aimed at, not reached: ${aim}`);
const failures = result.medians.flatMap(broken);
for (const failure of failures) say(`FAILED ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
