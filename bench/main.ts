import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { largest } from '../constructs/parts/values/index.ts';
import { Bench, type Round } from './bench.ts';
import { broken, missed, missedByRuntime } from './gates.ts';
import { line, type Measured, type Medians, report } from './report.ts';

const { values } = parseArgs({
  options: {
    /** Sizes, in numbers of resources. */
    counts: { type: 'string', default: '100,500' },
    rounds: { type: 'string', default: '3' },
    /** Measures a careful operator in Go as well, which is built first: see careful/main.go. */
    beside: { type: 'boolean', default: false },
    /** Measures an operator that is built by the runtime for others, in place of Trunnion's own: see runtime/. */
    runtime: { type: 'boolean', default: false },
    /** Where the report goes, as JSON. */
    out: { type: 'string' },
  },
});

const WARM_UP = 50;

const log = (text: string): void => console.error(text);

/** After each round, all that was measured so far. */
async function* measure(counts: readonly number[], times: number): AsyncGenerator<Measured> {
  await using bench = await Bench.open(largest(counts), log, values);
  const rounds: Round[] = [];
  // What is compiled, and what is filled, at first use.
  await bench.round(WARM_UP);
  for (let time = 1; time <= times; time += 1) {
    // Sizes in turn, so that a machine that grows slower does so for all of them.
    for (const count of counts) {
      const round = await bench.round(count);
      rounds.push(round);
      log(`round ${time} of ${times}: ${line(round)}`);
      yield { rounds, isApart: bench.isApart };
    }
  }
}

let text = '';
let medians: readonly Medians[] = [];
for await (const measured of measure(values.counts.split(',').map(Number), Number(values.rounds))) {
  const result = report(measured);
  text = `${JSON.stringify(result, undefined, 2)}\n`;
  ({ medians } = result);
  // Rounds take minutes: who breaks off the last ones keeps the others.
  if (values.out !== undefined) writeFileSync(values.out, text);
}
if (values.out === undefined) process.stdout.write(text);
for (const middle of medians) log(line(middle));
for (const aim of medians.flatMap(values.runtime ? missedByRuntime : missed)) log(`aimed at, not reached: ${aim}`);
const failures = medians.flatMap(broken);
for (const failure of failures) log(`FAILED ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
