import type { Json } from '../../constructs/schema/json.ts';
import { hasAskedSince, hotLoopsOf, until, vainWritesOf } from './observe.ts';
import { forgiving, type Habits, judgeChanges, judgeState, learn, type Reference, unlike } from './oracles.ts';
import type { Plan } from './plans/plan.ts';
import { baselineOf, sweep } from './region.ts';
import { hopelessnessOf, type Scenario, type ScenarioRun, ScenarioError, runScenario } from './scenario.ts';
import { FaultsError } from './error.ts';
import { remainsOf } from './state-of.ts';
import { type Testbed, World } from './world.ts';

/** What came of one plan. */
export interface PlanResult {
  /** What the scenario is called. */
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
  /** What the operator last wrote to its output, where it failed. */
  readonly output?: readonly string[];
}

export interface CampaignOptions {
  readonly testbed: Testbed;
  readonly scenario: Scenario;
}

/** How much of what the operator last said is kept where a scenario failed. */
const LAST_WORDS = 40;

/** How long an operator may take until it is ready, or first asks for what it is for. */
const READY_MS = 60_000;

let namespaces = 0;

/** A world of its own, which leaves nothing behind where another one would see it. */
async function inWorld<T>({ testbed, scenario }: CampaignOptions, act: (world: World) => Promise<T>): Promise<T> {
  const { region } = scenario;
  await using world = await World.open({ testbed, namespace: `faults-${process.pid}-${(namespaces += 1)}` });
  if (region.isWide !== true) return await act(world);
  world.baseline = await baselineOf(world, region);
  try {
    return await act(world);
  } finally {
    await world.stop();
    await sweep(world, region);
  }
}

/** A run without any fault, and what it did that it should not do. */
export interface CleanRun {
  readonly run: ScenarioRun;
  readonly habits: Habits;
  readonly seconds: number;
}

/**
 * Runs a scenario without any fault.
 *
 * @throws ScenarioError where it does not get to its end: with what the operator last said
 */
export async function cleanRun(options: CampaignOptions, checked?: (world: World) => void): Promise<CleanRun> {
  return inWorld(options, async (world) => {
    const started = performance.now();
    world.start();
    try {
      await ready(options.scenario, world);
      const run = await runScenario(options.scenario, world, { before: () => checked?.(world) });
      const habits = {
        restless: run.writesAtRest,
        vain: vainWritesOf(world),
        hotLoops: hotLoopsOf(world),
        complaints: world.complaints,
      };
      return { run, habits, seconds: secondsSince(started) };
    } catch (error) {
      if (error instanceof FaultsError) throw error;
      const words = error instanceof ScenarioError ? error.failures : [wordsOf(error)];
      const output = world.program.output.lines(LAST_WORDS);
      throw new ScenarioError([
        ...words,
        ...world.complaints,
        output.length === 0 ? 'it wrote nothing to its output' : 'it last wrote:',
        ...output,
      ]);
    }
  });
}

/** Waits until the operator says that it is ready, or has asked for what it is for. */
async function ready({ subject }: Scenario, world: World): Promise<void> {
  const hopeless = () => hopelessnessOf(world);
  const options = { timeoutMs: READY_MS, hopeless };
  const isProbed = (await world.isReady()) !== undefined;
  if (isProbed) {
    await until('the operator to answer its probe with 200', async () => (await world.isReady()) || undefined, options);
    return;
  }
  const what = `the operator to list or watch ${subject.type.plural} (it must use KUBECONFIG and WATCH_NAMESPACE)`;
  await until(what, async () => hasAskedSince(0, subject.type.plural, world) || undefined, options);
}

/** Two fault-free runs: what the scenario does, and what varies by itself. */
export async function reference(options: CampaignOptions): Promise<Reference> {
  const run = () => cleanRun(options);
  const [first, second] =
    options.scenario.region.isWide === true ? [await run(), await run()] : await Promise.all([run(), run()]);
  return referenceOf(first, second, options.scenario);
}

export const referenceOf = (first: CleanRun, second: CleanRun, { varies }: Scenario): Reference =>
  learn(first.run, second.run, varies, first.habits);

/** Runs a scenario under one plan and compares it with a reference. */
export async function runPlan(plan: Plan, known: Reference, options: CampaignOptions): Promise<PlanResult> {
  const { scenario } = options;
  const started = performance.now();
  return inWorld(options, async (world) => {
    for (const rule of plan.rules ?? []) world.proxy.rules.add(rule);
    world.start();
    const failures = await judged(plan, known, plan.scenario?.(scenario) ?? scenario, world);
    return {
      kind: scenario.title,
      id: plan.id,
      plan: plan.name,
      struck: world.faults,
      kills: world.kills,
      seconds: secondsSince(started),
      failures,
      ...(failures.length > 0 && {
        remains: await remainsOf(world, scenario.region),
        output: world.program.output.lines(LAST_WORDS),
      }),
    };
  });
}

async function judged(plan: Plan, reference: Reference, scenario: Scenario, world: World): Promise<readonly string[]> {
  const known = plan.judged === 'states' ? forgiving(reference) : reference;
  const { restless, vain, hotLoops, complaints } = known.habits;
  // How often it was repeated is another number each time.
  const storms = () => (hotLoops.length > 0 ? [] : hotLoopsOf(world));
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
      ...unlike(restless, [...new Set(run.writesAtRest)]).map((write) => `written at rest: ${write}`),
      // A restart, or a lost answer, has to be made up for by a write that may change nothing.
      ...(plan.id.startsWith('B') && world.kills === 0 && vain.length === 0 ? vainWritesOf(world) : []),
      ...storms(),
      ...otherDeeds(complaints, world.complaints),
    ];
  } catch (error) {
    const words = error instanceof ScenarioError ? error.failures : [wordsOf(error)];
    return [...words, ...storms(), ...unlike(complaints, world.complaints)];
  }
}

/** Deeds that weren't done in a clean run, however often. */
const otherDeeds = (known: readonly string[], seen: readonly string[]): readonly string[] => {
  const deedOf = (complaint: string) => complaint.split(', ', 1)[0];
  const deeds = new Set(known.map(deedOf));
  return seen.filter((complaint) => !deeds.has(deedOf(complaint)));
};

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const secondsSince = (started: number): number => Math.round((performance.now() - started) / 100) / 10;
