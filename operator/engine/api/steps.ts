import { smallest } from '../../../constructs/parts/values/index.ts';
import type { Result, Unstamped } from './kind.ts';

/** What one step adds to a {@link Result}: any part of it, and of its state and its status. */
export type PartialResult<State, Status> = Partial<Omit<Result<State, Status>, 'state' | 'status'>> & {
  readonly state?: Partial<State>;
  readonly status?: Partial<Unstamped<Status>>;
};

/**
 * One step in the life of a resource, as a named function: what it decides, and what it says of that. Pure.
 *
 * @param context - all that was observed, and what several steps need to know of it
 */
export type LifecycleStep<Context, State, Status> = (context: Context) => PartialResult<State, Status>;

/**
 * Decides by a list of steps, in the order of the life that they describe. What they add is put together:
 *
 * - the fields of `state` and `status`: of two steps that give the same one, the later wins
 * - conditions, queries and all other lists: one behind the other
 * - `requeueAt`: the earliest
 * - flags: true where a step says so
 */
export function runSteps<Context, State extends object, Status extends object>(
  steps: readonly LifecycleStep<Context, State, Status>[],
  context: Context,
): Result<Partial<State>, Partial<Status>> {
  const parts = steps.map((step) => step(context));
  const times = parts.flatMap(({ requeueAt }) => requeueAt ?? []);
  return {
    state: parts.reduce((all, { state }) => ({ ...all, ...state }), {} as Partial<State>),
    status: parts.reduce((all, { status }) => ({ ...all, ...status }), {} as Unstamped<Partial<Status>>),
    conditions: parts.flatMap(({ conditions = [] }) => conditions),
    ...listsIn(parts),
    ...flagsIn(parts),
    ...(times.length > 0 && { requeueAt: smallest(times) }),
  };
}

type Part = PartialResult<unknown, unknown>;

const LISTS = ['queries', 'replace', 'removePods', 'markPods', 'makeSecrets'] as const;
const FLAGS = ['release', 'waitForAnswers', 'statusFirst', 'expire'] as const;

const listsIn = (parts: readonly Part[]): Pick<Part, (typeof LISTS)[number]> =>
  Object.fromEntries(
    LISTS.map((name) => [name, parts.flatMap((part): readonly unknown[] => part[name] ?? [])] as const).filter(
      ([, items]) => items.length > 0,
    ),
  );

const flagsIn = (parts: readonly Part[]): Pick<Part, (typeof FLAGS)[number]> =>
  Object.fromEntries(FLAGS.filter((name) => parts.some((part) => part[name] === true)).map((name) => [name, true]));
