import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceType } from '../../operator/kube/client/types.ts';
import { changesOf, quiet, stateOf, until, writesIn } from './observe.ts';
import type { State } from './state.ts';
import type { World } from './world.ts';

/** One turn in the life of a resource: what a user does, and how one sees that the operator has done its part. */
export interface Turn {
  readonly name: string;
  readonly act: (world: World) => Promise<unknown>;
  /**
   * Whether what was asked for is there.
   *
   * @default - it isn't waited for: the next turn begins at once
   */
  readonly reached?: (world: World) => Promise<boolean>;
}

/** The whole life of a kind, as a user leads it. Its last turn is the end of the resource. */
export interface Life {
  readonly type: ResourceType;
  readonly turns: readonly Turn[];
  /**
   * Places of the state that depend on how fast things happened, as differences name them.
   *
   * @default - none but what differs between two clean runs
   */
  readonly varies?: readonly string[];
}

/** What was seen of a life. */
export interface Lived {
  /** The state at the end of each turn that was waited for. */
  readonly states: Readonly<Record<string, State>>;
  /** Writes of the operator up to the end of each turn. */
  readonly writes: readonly number[];
  readonly changes: Readonly<Record<string, number>>;
  /** Writes where all was as it should be: after the last turn before the end, and after the end. */
  readonly writesAtRest: readonly string[];
}

export interface LiveOptions {
  /** Called before each turn: where a plan puts its faults in. */
  readonly before?: (turn: number, world: World) => Promise<void> | void;
  /**
   * What of the state at the end of a turn is not as it should be. A disturbed operator comes to it later than an
   * undisturbed one, so it is waited for.
   *
   * @default - the state that is there once nothing has been written for a while will do
   */
  readonly judge?: (turn: string, state: State) => readonly string[];
}

/** A life that went otherwise than it should. */
export class LifeError extends Error {
  override readonly name = 'LifeError';
  readonly failures: readonly string[];

  constructor(failures: readonly string[]) {
    super(failures.join('\n'));
    this.failures = failures;
  }
}

/** How long a turn may take where each write of it costs a restart, on a busy machine. */
const TURN_MS = 300_000;

/** Longest pause between two writes of one turn, with simulated pods at a tenth of their pace. */
const QUIET_MS = 1_200;

/** Between two looks at a state that isn't as it should be. */
const LOOK_MS = 500;

/** Where every write is followed by a restart, what is left of a turn when it is reached takes a restart for each. */
const SETTLE_MS = 90_000;

/**
 * Longer than any view of the past lasts: a server of the past catches up after 1.5 s, and frames lag up to 3 s behind.
 * What the operator writes when it hears of the present is no write at rest.
 */
const UNHEARD_MS = 3_500;

/** How long nothing may be written at rest. */
const REST_MS = 2_000;

/** Leads a life from its first turn to its last. Throws where a turn isn't reached, or does not end as it should. */
export async function live(life: Life, world: World, options: LiveOptions = {}): Promise<Lived> {
  const states: Record<string, State> = {};
  const writes: number[] = [];
  const writesAtRest: string[] = [];
  for (const [index, turn] of life.turns.entries()) {
    await options.before?.(index, world);
    await turn.act(world);
    if (turn.reached !== undefined) {
      await untilReached(turn, world);
      states[turn.name] = await settled(turn.name, world, options);
      if (index >= life.turns.length - 2) writesAtRest.push(...(await rest(world)));
    }
    writes.push(world.proxy.writes);
  }
  return { states, writes, changes: changesOf(world), writesAtRest };
}

/** Waits until what a turn asks for is there. */
export async function untilReached(turn: Turn, world: World): Promise<void> {
  const isReached = async () => ((await turn.reached?.(world)) === false ? undefined : true);
  await until(`the end of the turn "${turn.name}"`, isReached, TURN_MS);
}

/** The state at the end of a turn. Throws where it never comes to what it should be: what follows would tell no more. */
async function settled(turn: string, world: World, { judge }: LiveOptions): Promise<State> {
  if (judge === undefined) {
    await quiet(world, QUIET_MS);
    return stateOf(world);
  }
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const state = await stateOf(world);
    const failures = judge(turn, state);
    if (failures.length === 0) return state;
    if (performance.now() > deadline) throw new LifeError(failures);
    await quiet(world, LOOK_MS);
  }
}

/** What is written though nothing is to be done. Events come a moment after what they tell of. */
async function rest(world: World): Promise<readonly string[]> {
  await quiet(world, UNHEARD_MS);
  const before = world.proxy.log.length;
  await sleep(REST_MS);
  return writesIn(world.proxy.log.slice(before));
}
