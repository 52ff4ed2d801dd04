import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { allPlans, reference, runAll, type Verdict } from './campaign.ts';
import { openBed } from './bed.ts';
import { lives } from './lives/index.ts';
import { table } from './report.ts';

const { values } = parseArgs({
  options: {
    /** Only plans whose name has this in it. */
    only: { type: 'string', default: '' },
    /** Every n-th plan. */
    every: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '6' },
    json: { type: 'string' },
  },
});

await using bed = await openBed((line) => console.error(line));
const verdicts: Verdict[] = [];
for (const life of lives) {
  const options = {
    bed,
    life,
    parallel: Number(values.parallel),
    tell: ({ plan, seconds, failures }: Verdict) =>
      console.error(
        `${failures.length === 0 ? 'survived' : 'FAILED  '} ${seconds.toFixed(1).padStart(5)} s  ${life.kind}: ${plan}`,
      ),
  };
  const known = await reference(options);
  console.error(`${life.kind}: ${known.lived.writes.at(-1)} writes in a life of ${life.turns.length} turns`);
  const plans = allPlans(life, known).filter(({ name }) => name.includes(values.only));
  verdicts.push(
    ...(await runAll(
      plans.filter((_, at) => at % Number(values.every) === 0),
      known,
      options,
    )),
  );
}
console.log(table(verdicts));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(verdicts, undefined, 2)}\n`);
process.exitCode = verdicts.some(({ failures }) => failures.length > 0) ? 1 : 0;
