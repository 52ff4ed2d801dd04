import { changesOf, quiet, stateOf, until } from './observe.ts';
import type { State } from './state.ts';
import type { World } from './world.ts';

/** One turn in the life of a resource: what a user does, and how one sees that the operator has done its part. */
export interface Turn {
  readonly name: string;
  act(world: World): Promise<unknown>;
  /** Whether what was asked for is there. */
  reached(world: World): Promise<boolean>;
}

/** The whole life of a kind, as a user leads it. */
export interface Life {
  readonly kind: string;
  readonly turns: readonly Turn[];
}

/** What was seen of a life. */
export interface Lived {
  /** The state at the end of each turn. */
  readonly states: Readonly<Record<string, State>>;
  /** Writes of the operator up to the end of each turn. */
  readonly writes: readonly number[];
  readonly changes: Readonly<Record<string, number>>;
}

export interface LiveOptions {
  /** Called before each turn: where a plan puts its faults in. */
  readonly before?: (turn: number, world: World) => void;
  readonly timeoutMs?: number;
  /**
   * Whether the state at the end of a turn is the one that it should come to. A disturbed operator comes to it later
   * than an undisturbed one, so it is waited for.
   *
   * @default - the state that is there once nothing has been written for a while
   */
  readonly isSettled?: (turn: string, state: State) => boolean;
}

/** Longest pause between two writes of one turn, with simulated pods at a tenth of their pace. */
const QUIET_MS = 900;

const POLL_MS = 150;
/** Where every write is followed by a restart, what is left of a turn when it is reached takes a restart for each. */
const SETTLE_MS = 90_000;

/** Leads a life from its first turn to its last. Throws where a turn isn't reached. */
export async function live(life: Life, world: World, options: LiveOptions = {}): Promise<Lived> {
  const states: Record<string, State> = {};
  const writes: number[] = [];
  for (const [index, turn] of life.turns.entries()) {
    options.before?.(index, world);
    await turn.act(world);
    await until(
      `${turn.name} of ${life.kind}`,
      async () => ((await turn.reached(world)) ? true : undefined),
      options.timeoutMs,
    );
    states[turn.name] = await settled(turn.name, world, options);
    writes.push(world.proxy.writes);
  }
  return { states, writes, changes: changesOf(world) };
}

/** The state at the end of a turn; the one that is there in the end, where it never comes to what it should be. */
async function settled(turn: string, world: World, { isSettled }: LiveOptions): Promise<State> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    await quiet(world, isSettled === undefined ? QUIET_MS : POLL_MS);
    const state = await stateOf(world);
    if (isSettled === undefined || isSettled(turn, state) || performance.now() > deadline) return state;
  }
}
