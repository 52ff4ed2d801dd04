import { type Scenario, type ScenarioRun, ScenarioError, runScenario } from './scenario.ts';
import { hotLoopsOf, remainsOf, vainWritesOf } from './observe.ts';
import { forgiving, judgeChanges, judgeState, learn, type Reference } from './oracles.ts';
import type { Plan } from './plans/plan.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { type Testbed, World } from './world.ts';

/** What came of one plan. */
export interface Verdict {
  readonly kind: string;
  /** Of the fault, as in docs/faults.md. */
  readonly id: string;
  readonly plan: string;
  /** How often a fault struck; 0 means that the plan found nothing to disturb. */
  readonly struck: number;
  readonly kills: number;
  readonly seconds: number;
  /** What went otherwise than in a clean run; empty where the plan was survived. */
  readonly failures: readonly string[];
  /** What was there when it failed: the resource, its children, their pods and events. */
  readonly remains?: readonly Json[];
}

export interface CampaignOptions {
  readonly testbed: Testbed;
  readonly scenario: Scenario;
  /** Name of a planted bug, for the campaign that proves the campaign. */
  readonly bug?: string;
}

/** How much of what the operator last said is kept where a scenario failed. */
const LAST_WORDS = 40;

let namespaces = 0;

const openWorld = ({ testbed, bug }: CampaignOptions): Promise<World> =>
  World.open({ testbed, namespace: `faults-${process.pid}-${(namespaces += 1)}`, ...(bug !== undefined && { bug }) });

/** Runs a scenario without any fault. */
async function clean(options: CampaignOptions): Promise<ScenarioRun> {
  await using world = await openWorld(options);
  world.start();
  return await runScenario(options.scenario, world);
}

/** Two fault-free runs: what the scenario does, and what varies by itself. */
export async function reference(options: CampaignOptions): Promise<Reference> {
  const { bug: _, ...healthy } = options;
  const [first, second] = await Promise.all([clean(healthy), clean(healthy)]);
  return learn(first, second, options.scenario.varies);
}

/** Runs a scenario under one plan and compares it with a reference. */
export async function runPlan(plan: Plan, known: Reference, options: CampaignOptions): Promise<Verdict> {
  const { scenario } = options;
  const started = performance.now();
  await using world = await openWorld(options);
  for (const rule of plan.rules ?? []) world.proxy.rules.add(rule);
  world.start();
  const failures = await judged(plan, known, plan.scenario?.(scenario) ?? scenario, world);
  return {
    kind: scenario.type.kind,
    id: plan.id,
    plan: plan.name,
    struck: world.faults,
    kills: world.kills,
    seconds: Math.round((performance.now() - started) / 100) / 10,
    failures,
    ...(failures.length > 0 && { remains: await remainsOf(world) }),
  };
}

async function judged(plan: Plan, reference: Reference, scenario: Scenario, world: World): Promise<readonly string[]> {
  const known = plan.judged === 'states' ? forgiving(reference) : reference;
  try {
    const run = await runScenario(scenario, world, {
      before: (step) => {
        world.proxy.rules.step(plan.during?.(step) ?? []);
        return plan.before?.(step, world);
      },
      judge: (step, state) => judgeState(known, step, state),
    });
    return [
      ...(plan.judged === 'states' ? [] : judgeChanges(known, run)),
      ...run.writesAtRest.map((write) => `written at rest: ${write}`),
      // A restart, or a lost answer, has to be made up for by a write that may change nothing.
      ...(plan.id.startsWith('B') && world.kills === 0 ? vainWritesOf(world) : []),
      ...hotLoopsOf(world),
      ...world.complaints,
    ];
  } catch (error) {
    const words = error instanceof ScenarioError ? error.failures : [String(error)];
    return [...words, ...hotLoopsOf(world), ...world.complaints, ...world.output.slice(-LAST_WORDS)];
  }
}
