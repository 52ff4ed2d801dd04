import type { Lived } from './life.ts';
import { type Difference, differences, type State, withoutHistory } from './state.ts';

/** What two clean runs of the same life have taught: how it goes, and what varies though nothing was wrong. */
export interface Reference {
  readonly lived: Lived;
  /** Paths, by turn, that differed between the two. */
  readonly varies: ReadonlySet<string>;
  /** What of a state is compared. */
  readonly view: (state: State) => State;
}

const placeOf = (turn: string, { path }: Difference): string => `${turn} ${path}`;

/** Learns from two clean runs, and from what is known to vary at the end of any turn. */
export function learn(first: Lived, second: Lived, known: readonly string[] = []): Reference {
  const turns = Object.keys(first.states);
  const places = turns.flatMap((turn) =>
    differences(first.states[turn], second.states[turn]).map((difference) => placeOf(turn, difference)),
  );
  const everywhere = turns.flatMap((turn) => known.map((path) => `${turn} ${path}`));
  return { lived: first, varies: new Set([...places, ...everywhere]), view: (state) => state };
}

/** The same, for lives in which a hand deletes what the operator then makes anew. */
export const forgiving = (reference: Reference): Reference => ({ ...reference, view: withoutHistory });

/** Where a state differs from the one that a clean run came to at the end of the same turn. */
function strays({ lived, varies, view }: Reference, turn: string, state: State): readonly Difference[] {
  const wanted = lived.states[turn];
  if (wanted === undefined) return [];
  return differences(view(wanted), view(state)).filter((difference) => !varies.has(placeOf(turn, difference)));
}

/** How a state differs from the one that a clean run came to at the end of the same turn; of other turns, any will do. */
export const judgeState = (reference: Reference, turn: string, state: State): readonly string[] =>
  strays(reference, turn, state).map(
    ({ path, left, right }) => `after ${turn}, ${path} is ${show(right)} instead of ${show(left)}`,
  );

/** Every object that was created or deleted more or less often than in the reference. */
export function judgeChanges(reference: Reference, lived: Lived): readonly string[] {
  const keys = new Set([...Object.keys(reference.lived.changes), ...Object.keys(lived.changes)]);
  return [...keys]
    .filter((key) => (reference.lived.changes[key] ?? 0) !== (lived.changes[key] ?? 0))
    .map((key) => `${key}: ${lived.changes[key] ?? 0} times instead of ${reference.lived.changes[key] ?? 0}`);
}

function show(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
