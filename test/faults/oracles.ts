import type { Lived } from './life.ts';
import { type Difference, differences, type State } from './state.ts';

/** What two clean runs of the same life have taught: how it goes, and what varies though nothing was wrong. */
export interface Reference {
  readonly lived: Lived;
  /** Paths, by turn, that differed between the two. */
  readonly varies: ReadonlySet<string>;
}

const placeOf = (turn: string, { path }: Difference): string => `${turn} ${path}`;

/** Learns from two clean runs. */
export function learn(first: Lived, second: Lived): Reference {
  const turns = Object.keys(first.states);
  const places = turns.flatMap((turn) =>
    differences(first.states[turn], second.states[turn]).map((difference) => placeOf(turn, difference)),
  );
  return { lived: first, varies: new Set(places) };
}

/** Where a state differs from the one that a clean run came to at the end of the same turn. */
function strays({ lived, varies }: Reference, turn: string, state: State | undefined): readonly Difference[] {
  return differences(lived.states[turn], state).filter((difference) => !varies.has(placeOf(turn, difference)));
}

/** Whether a state is the one that a clean run came to at the end of the same turn. */
export const isAsIn = (reference: Reference, turn: string, state: State): boolean =>
  strays(reference, turn, state).length === 0;

/** Everything in which a life under a fault went otherwise than the reference: end states, and creates and deletes. */
export function judge(reference: Reference, lived: Lived): readonly string[] {
  const states = Object.keys(reference.lived.states).flatMap((turn) =>
    strays(reference, turn, lived.states[turn]).map(
      ({ path, left, right }) => `after ${turn}, ${path} is ${show(right)} instead of ${show(left)}`,
    ),
  );
  const keys = new Set([...Object.keys(reference.lived.changes), ...Object.keys(lived.changes)]);
  const counts = [...keys]
    .filter((key) => (reference.lived.changes[key] ?? 0) !== (lived.changes[key] ?? 0))
    .map((key) => `${key}: ${lived.changes[key] ?? 0} times instead of ${reference.lived.changes[key] ?? 0}`);
  return [...states, ...counts];
}

function show(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
