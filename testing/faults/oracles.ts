import type { ScenarioRun } from './scenario.ts';
import { type Difference, differences, type State, withoutHistory } from './state.ts';

/** What a fault-free run did that it should not do; a run with faults isn't blamed for the same. */
export interface Habits {
  /** What it wrote at rest. */
  readonly restless: readonly string[];
  /** What it wrote that changed nothing. */
  readonly vain: readonly string[];
  readonly hotLoops: readonly string[];
  readonly complaints: readonly string[];
}

export const NO_HABITS: Habits = { restless: [], vain: [], hotLoops: [], complaints: [] };

/** What two fault-free runs of one scenario recorded: what it does, and what varies without a fault. */
export interface Reference {
  readonly run: ScenarioRun;
  /** Paths, by step, that differed between the two. */
  readonly varies: ReadonlySet<string>;
  /** Paths that aren't compared in any step; `*` stands for any characters. */
  readonly ignored: readonly string[];
  /** What of a state is compared. */
  readonly view: (state: State) => State;
  readonly habits: Habits;
}

const placeOf = (step: string, { path }: Difference): string => `${step} ${path}`;

/**
 * Learns from two clean runs.
 *
 * @param ignored - what is known to vary at the end of any step
 */
export function learn(
  first: ScenarioRun,
  second: ScenarioRun,
  ignored: readonly string[] = [],
  habits: Habits = NO_HABITS,
): Reference {
  const places = Object.keys(first.states).flatMap((step) =>
    differences(first.states[step], second.states[step]).map((difference) => placeOf(step, difference)),
  );
  return { run: first, varies: new Set(places), ignored, view: (state) => state, habits };
}

/** Whether a pattern, in which `*` stands for any characters, is a path or the beginning of one. */
export function covers(pattern: string, path: string): boolean {
  const star = pattern.indexOf('*');
  if (star === -1) return path === pattern || path.startsWith(`${pattern}.`) || path.startsWith(`${pattern}[`);
  if (!path.startsWith(pattern.slice(0, star))) return false;
  const rest = pattern.slice(star + 1);
  for (let at = star; at <= path.length; at += 1) if (covers(rest, path.slice(at))) return true;
  return false;
}

/** The same, for scenarios in which a user deletes what the operator then creates again. */
export const forgiving = (reference: Reference): Reference => ({ ...reference, view: withoutHistory });

/** Where a state differs from the one that a clean run came to at the end of the same step. */
function strays({ run, varies, ignored, view }: Reference, step: string, state: State): readonly Difference[] {
  const wanted = run.states[step];
  if (wanted === undefined) return [];
  return differences(view(wanted), view(state))
    .filter((difference) => !varies.has(placeOf(step, difference)))
    .filter(({ path }) => !ignored.some((pattern) => covers(pattern, path)));
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

/** What wasn't done in a clean run as well. */
export const unlike = (habits: readonly string[], seen: readonly string[]): readonly string[] =>
  seen.filter((one) => !habits.includes(one));
