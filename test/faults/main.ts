import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openBed } from './bed.ts';
import { bugs, leadershipBug } from './bugs.ts';
import { reference, runAll, type Verdict } from './campaign.ts';
import { lives } from './lives/index.ts';
import { allPlans } from './plans/index.ts';
import { line, table, teeth } from './report.ts';
import { bite, biteLeader } from './teeth.ts';
import type { Bed } from './world.ts';

const { values } = parseArgs({
  options: {
    /** Only this kind. */
    kind: { type: 'string' },
    /** Only plans whose id and name have this in them, or bugs whose name has. */
    only: { type: 'string', default: '' },
    /** Every n-th plan. */
    every: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '10' },
    /** Where all verdicts are written. */
    json: { type: 'string' },
    /** Plants known bugs instead, and tells which plan finds each. */
    teeth: { type: 'boolean', default: false },
  },
});

const isWanted = (kind: string): boolean => values.kind === undefined || values.kind === kind;

const tell = (line: string): void => console.error(line);

async function proveTeeth(bed: Bed): Promise<boolean> {
  const wanted = bugs.filter(({ name, kind }) => isWanted(kind) && name.includes(values.only));
  const found = await bite(bed, wanted, ({ bug, by }) => tell(`${by === undefined ? 'MISSED' : 'found'}: ${bug}`));
  const isLeaderWanted = values.kind === undefined && leadershipBug.name.includes(values.only);
  const bites = [...found, ...(isLeaderWanted ? [biteLeader()] : [])];
  console.log(teeth(bites));
  return bites.every(({ by }) => by !== undefined);
}

async function campaign(bed: Bed): Promise<boolean> {
  const started = performance.now();
  const verdicts: Verdict[] = [];
  for (const life of lives.filter(({ type }) => isWanted(type.kind))) {
    const options = { bed, life, parallel: Number(values.parallel), tell: (verdict: Verdict) => tell(line(verdict)) };
    const known = await reference(options);
    tell(`${life.type.kind}: ${known.lived.writes.at(-1)} writes in a life of ${life.turns.length} turns`);
    const plans = allPlans({ life, lived: known.lived })
      .filter(({ id, name }) => `${id} ${name}`.includes(values.only))
      .filter((_, at) => at % Number(values.every) === 0);
    verdicts.push(...(await runAll(plans, known, options)));
  }
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
