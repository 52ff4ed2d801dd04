import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectRef, ResourceType } from '../../operator/kube/index.ts';
import { changesOf, quiet, type Traffic, trafficOf, until, writesIn } from './observe.ts';
import type { Region } from './region.ts';
import { type State, stateOf } from './state-of.ts';
import type { World } from './world.ts';

/** One step of a scenario: what a user does, and how the campaign sees that the operator has reacted. */
export interface Step {
  readonly name: string;
  readonly act: (world: World) => Promise<unknown>;
  /**
   * Whether what was asked for is there.
   *
   * @default - it isn't waited for: the next step begins at once
   */
  readonly reached?: (world: World) => Promise<boolean>;
}

/** The resource that a scenario is about: it is created, changed and deleted. */
export interface Subject {
  readonly type: ResourceType;
  readonly name: string;
  /** Whether it is in a namespace. */
  readonly namespaced: boolean;
}

/** How long is waited, in milliseconds. */
export interface Patience {
  /** How long a step may take where each write of it costs a restart, on a busy machine. */
  readonly stepMs: number;
  /** How long what is left of a step may take once it is reached. */
  readonly settleMs: number;
  /**
   * How long a connection that fell silent stays open.
   *
   * @default - forever: the operator must find out by itself
   */
  readonly idleMs?: number;
}

/** The life of a resource of one kind, from its creation to its deletion, as a user would do it. */
export interface Scenario {
  /** What it is called in the report. */
  readonly title: string;
  readonly subject: Subject;
  /** The last one deletes the subject. */
  readonly steps: readonly Step[];
  /** What is compared. */
  readonly region: Region;
  readonly patience: Patience;
  /**
   * Places of the state that depend on how fast things happened, as differences name them.
   *
   * @default - none but what differs between two clean runs
   */
  readonly varies?: readonly string[];
  /**
   * Resources whose objects nobody deletes by hand.
   *
   * @default - persistentvolumeclaims, jobs, pods
   */
  readonly precious?: readonly string[];
}

/** What was recorded of a run. */
export interface ScenarioRun {
  /** The state at the end of each step that was waited for. */
  readonly states: Readonly<Record<string, State>>;
  /** Writes of the operator up to the end of each step. */
  readonly writes: readonly number[];
  readonly changes: Readonly<Record<string, number>>;
  /** Writes where all was as it should be: after the last step before the end, and after the end. */
  readonly writesAtRest: readonly string[];
  readonly traffic: Traffic;
}

export interface ScenarioOptions {
  /** Called before each step: where a plan puts its faults in. */
  readonly before?: (step: number, world: World) => Promise<void> | void;
  /**
   * What of the state at the end of a step is not as it should be. A disturbed operator comes to it later than an
   * undisturbed one, so it is waited for.
   *
   * @default - the state that is there once nothing has been written for a while will do
   */
  readonly judge?: (step: string, state: State) => readonly string[];
}

/** A scenario whose state is not the expected one. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly failures: readonly string[];

  constructor(failures: readonly string[]) {
    super(failures.join('\n'));
    this.failures = failures;
  }
}

/** Longest pause between two writes of one step, with simulated pods at a tenth of their pace. */
const QUIET_MS = 1_200;

/** Between two looks at a state that isn't as it should be. */
const OBSERVE_MS = 500;

/**
 * Longer than any view of the past lasts: a server of the past catches up after 1.5 s, and frames lag up to 3 s behind.
 * What the operator writes when it learns of the present is no write at rest.
 */
const UNHEARD_MS = 3_500;

/** How long nothing may be written at rest. */
const REST_MS = 2_000;

/** More requests than this in one run are a storm, which is not waited out. */
const MOST_REQUESTS = 50_000;

/** The subject, as the client names it. */
export const refOf = ({ name, namespaced }: Subject, { namespace }: World): ObjectRef =>
  namespaced ? { namespace, name } : { name };

/** Runs a scenario from its first step to its last. Throws where a step isn't reached, or ends in another state than expected. */
export async function runScenario(
  scenario: Scenario,
  world: World,
  options: ScenarioOptions = {},
): Promise<ScenarioRun> {
  const states: Record<string, State> = {};
  const writes: number[] = [];
  const writesAtRest: string[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    await options.before?.(index, world);
    await step.act(world);
    if (step.reached !== undefined) {
      await untilReached(step, scenario, world);
      states[step.name] = await settled(step.name, scenario, world, options);
      if (index >= scenario.steps.length - 2) for (const write of await rest(world)) writesAtRest.push(write);
    }
    writes.push(world.proxy.writes);
  }
  return { states, writes, changes: changesOf(world), writesAtRest, traffic: trafficOf(world) };
}

/** Waits until what a step asks for is there. */
export async function untilReached(step: Step, { patience }: Scenario, world: World): Promise<void> {
  const isReached = async () => ((await step.reached?.(world)) === false ? undefined : true);
  await until(`the end of the step "${step.name}"`, isReached, {
    timeoutMs: patience.stepMs,
    hopeless: () => hopelessnessOf(world),
  });
}

/** Why there is nothing to wait for; undefined where there is. */
export function hopelessnessOf({ program, proxy }: World): string | undefined {
  if (program.givenUp !== undefined) return program.givenUp;
  return proxy.log.length > MOST_REQUESTS ? `the operator has sent over ${MOST_REQUESTS} requests` : undefined;
}

/** The state at the end of a step. Throws where it never comes to what it should be: what follows would tell no more. */
async function settled(step: string, scenario: Scenario, world: World, { judge }: ScenarioOptions): Promise<State> {
  if (judge === undefined) {
    await quiet(world, QUIET_MS);
    return stateOf(world, scenario.region);
  }
  const deadline = performance.now() + scenario.patience.settleMs;
  for (;;) {
    const state = await stateOf(world, scenario.region);
    const failures = judge(step, state);
    if (failures.length === 0) return state;
    const hopeless = hopelessnessOf(world);
    if (hopeless !== undefined) throw new ScenarioError([hopeless, ...failures]);
    if (performance.now() > deadline) throw new ScenarioError(failures);
    await quiet(world, OBSERVE_MS);
  }
}

/** What is written though nothing is to be done. Events come a moment after what they tell of. */
async function rest(world: World): Promise<readonly string[]> {
  await quiet(world, UNHEARD_MS);
  const before = world.proxy.log.length;
  await sleep(REST_MS);
  return writesIn(world.proxy.log.slice(before));
}
