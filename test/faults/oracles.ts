import type { ScenarioRun } from './scenario.ts';
import { type Difference, differences, type State, withoutHistory } from './state.ts';

/** What two fault-free runs of one scenario recorded: what it does, and what varies without a fault. */
export interface Reference {
  readonly run: ScenarioRun;
  /** Paths, by step, that differed between the two. */
  readonly varies: ReadonlySet<string>;
  /** What of a state is compared. */
  readonly view: (state: State) => State;
}

const placeOf = (step: string, { path }: Difference): string => `${step} ${path}`;

/** Learns from two clean runs, and from what is known to vary at the end of any step. */
export function learn(first: ScenarioRun, second: ScenarioRun, known: readonly string[] = []): Reference {
  const steps = Object.keys(first.states);
  const places = steps.flatMap((step) =>
    differences(first.states[step], second.states[step]).map((difference) => placeOf(step, difference)),
  );
  const everywhere = steps.flatMap((step) => known.map((path) => `${step} ${path}`));
  return { run: first, varies: new Set([...places, ...everywhere]), view: (state) => state };
}

/** The same, for scenarios in which a user deletes what the operator then creates again. */
export const forgiving = (reference: Reference): Reference => ({ ...reference, view: withoutHistory });

/** Where a state differs from the one that a clean run came to at the end of the same step. */
function strays({ run, varies, view }: Reference, step: string, state: State): readonly Difference[] {
  const wanted = run.states[step];
  if (wanted === undefined) return [];
  return differences(view(wanted), view(state)).filter((difference) => !varies.has(placeOf(step, difference)));
}

/** How a state differs from the one that a clean run came to at the end of the same step; of other steps, any will do. */
export const judgeState = (reference: Reference, step: string, state: State): readonly string[] =>
  strays(reference, step, state).map(
    ({ path, left, right }) => `after ${step}, ${path} is ${show(right)} instead of ${show(left)}`,
  );

/** Every object that was created or deleted more or less often than in the reference. */
export function judgeChanges(reference: Reference, run: ScenarioRun): readonly string[] {
  const keys = new Set([...Object.keys(reference.run.changes), ...Object.keys(run.changes)]);
  return [...keys]
    .filter((key) => (reference.run.changes[key] ?? 0) !== (run.changes[key] ?? 0))
    .map((key) => `${key}: ${run.changes[key] ?? 0} times instead of ${reference.run.changes[key] ?? 0}`);
}

function show(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
