import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reference, runPlan, type PlanResult } from '../../testing/faults/campaign.ts';
import { allPlans } from '../../testing/faults/plans/index.ts';
import { pooled } from '../../testing/faults/pool.ts';
import { line, table } from '../../testing/faults/report.ts';
import type { Testbed } from '../../testing/faults/world.ts';
import { bugs, leadershipBug } from './bugs.ts';
import { detectBugs, detectLeadershipBug, mutantTable } from './mutants.ts';
import { scenarios } from './scenarios/index.ts';
import { openTestbed } from './testbed.ts';

const { values } = parseArgs({
  options: {
    /** Only this kind. */
    kind: { type: 'string' },
    /** A regular expression: only plans whose id and name match it, or bugs whose name does. */
    only: { type: 'string', default: '' },
    /** Every n-th plan. */
    every: { type: 'string', default: '1' },
    /** How many scenarios run at once, each in its own namespace. */
    parallel: { type: 'string', default: '20' },
    /** Where all results are written. */
    json: { type: 'string' },
    /** Plants known bugs instead, and reports which plan finds each. */
    mutants: { type: 'boolean', default: false },
  },
});

const only = new RegExp(values.only);

const isWanted = (kind: string): boolean => values.kind === undefined || values.kind === kind;

const log = (line: string): void => console.error(line);

async function runMutants(testbed: Testbed): Promise<boolean> {
  const wanted = bugs.filter(({ name, kind }) => isWanted(kind) && only.test(name));
  const found = await detectBugs(testbed, wanted, ({ bug, by }) =>
    log(`${by === undefined ? 'MISSED' : 'found'}: ${bug}`),
  );
  const isLeaderWanted = values.kind === undefined && only.test(leadershipBug.name);
  const detections = [...found, ...(isLeaderWanted ? [detectLeadershipBug()] : [])];
  console.log(mutantTable(detections));
  return detections.every(({ by }) => by !== undefined);
}

/** The plans of all kinds in one list, so that the slow last plans of one kind don't delay the next kind. */
async function campaign(testbed: Testbed): Promise<boolean> {
  const started = performance.now();
  const trials: (() => Promise<unknown>)[] = [];
  const results: PlanResult[] = [];
  for (const scenario of scenarios.filter(({ title }) => isWanted(title))) {
    const known = await reference({ testbed, scenario });
    log(`${scenario.title}: ${known.run.writes.at(-1)} writes in a scenario of ${scenario.steps.length} steps`);
    const plans = allPlans({ scenario, run: known.run, rereadsToken: true })
      .filter(({ id, name }) => only.test(`${id} ${name}`))
      .filter((_, at) => at % Number(values.every) === 0);
    for (const plan of plans) {
      trials.push(async () => {
        const result = await runPlan(plan, known, { testbed, scenario });
        results.push(result);
        log(line(result));
      });
    }
  }
  await pooled(trials, { atOnce: Number(values.parallel) });
  const minutes = Math.round((performance.now() - started) / 6_000) / 10;
  console.log(`${table(results)}\n${minutes} minutes, ${values.parallel} scenarios at once`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`);
  return results.every(({ failures }) => failures.length === 0);
}

await using testbed = await openTestbed(log);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void Promise.resolve(testbed[Symbol.asyncDispose]()).finally(() => process.exit(1)));
}
process.exitCode = (await (values.mutants ? runMutants(testbed) : campaign(testbed))) ? 0 : 1;
