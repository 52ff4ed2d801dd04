import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { pooled } from '../../bench/pool.ts';
import { openBed } from './bed.ts';
import { bugs, leadershipBug } from './bugs.ts';
import { reference, run, type Verdict } from './campaign.ts';
import { lives } from './lives/index.ts';
import { allPlans } from './plans/index.ts';
import { line, table, teeth } from './report.ts';
import { bite, biteLeader } from './teeth.ts';
import type { Bed } from './world.ts';

const { values } = parseArgs({
  options: {
    /** Only this kind. */
    kind: { type: 'string' },
    /** A regular expression: only plans whose id and name match it, or bugs whose name does. */
    only: { type: 'string', default: '' },
    /** Every n-th plan. */
    every: { type: 'string', default: '1' },
    /** How many lives are led at once, each in a namespace of its own. */
    parallel: { type: 'string', default: '20' },
    /** Where all verdicts are written. */
    json: { type: 'string' },
    /** Plants known bugs instead, and tells which plan finds each. */
    teeth: { type: 'boolean', default: false },
  },
});

const only = new RegExp(values.only);

const isWanted = (kind: string): boolean => values.kind === undefined || values.kind === kind;

const tell = (line: string): void => console.error(line);

async function proveTeeth(bed: Bed): Promise<boolean> {
  const wanted = bugs.filter(({ name, kind }) => isWanted(kind) && only.test(name));
  const found = await bite(bed, wanted, ({ bug, by }) => tell(`${by === undefined ? 'MISSED' : 'found'}: ${bug}`));
  const isLeaderWanted = values.kind === undefined && only.test(leadershipBug.name);
  const bites = [...found, ...(isLeaderWanted ? [biteLeader()] : [])];
  console.log(teeth(bites));
  return bites.every(({ by }) => by !== undefined);
}

/** The plans of all kinds in one row, so that the last lives of one kind, which are slow ones, do not keep the next one waiting. */
async function campaign(bed: Bed): Promise<boolean> {
  const started = performance.now();
  const trials: (() => Promise<Verdict>)[] = [];
  for (const life of lives.filter(({ type }) => isWanted(type.kind))) {
    const known = await reference({ bed, life });
    tell(`${life.type.kind}: ${known.lived.writes.at(-1)} writes in a life of ${life.turns.length} turns`);
    const plans = allPlans({ life, lived: known.lived })
      .filter(({ id, name }) => only.test(`${id} ${name}`))
      .filter((_, at) => at % Number(values.every) === 0);
    trials.push(...plans.map((plan) => () => run(plan, known, { bed, life })));
  }
  const verdicts: Verdict[] = [];
  await pooled(trials.length, Number(values.parallel), async (index) => {
    const verdict = await trials[index]!();
    verdicts.push(verdict);
    tell(line(verdict));
  });
  const minutes = Math.round((performance.now() - started) / 6_000) / 10;
  console.log(`${table(verdicts)}\n${minutes} minutes, ${values.parallel} lives at once`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(verdicts, undefined, 2)}\n`);
  return verdicts.every(({ failures }) => failures.length === 0);
}

await using bed = await openBed(tell);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void Promise.resolve(bed[Symbol.asyncDispose]()).finally(() => process.exit(1)));
}
process.exitCode = (await (values.teeth ? proveTeeth(bed) : campaign(bed))) ? 0 : 1;
