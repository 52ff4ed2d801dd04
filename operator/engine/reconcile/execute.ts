import { attempt, type StepContext } from './execute-step.ts';
import type { Failure } from '../api/index.ts';
import { nameTaken } from './name-taken.ts';
import type { Plan } from '../plan/index.ts';

export type ExecuteContext = Omit<StepContext, 'counts'>;

/** How a plan was carried out. */
export interface Execution {
  readonly failures: readonly Failure[];
  /** The cache was behind for some object: another pass is needed. */
  readonly stale: boolean;
  /** The API server could not be reached: it is not this resource's fault. */
  readonly unreached: boolean;
  /** Writes that the API server took. */
  readonly writes: number;
  /** The cache was behind for a child, and now has what the server has: no watch event will say so. */
  readonly refreshed: boolean;
}

/**
 * Carries a plan out, in order. A step that fails keeps back those that come after it, and no others. Each write either
 * has the effect that was planned, on the object that was seen, or none.
 *
 * @throws where the writes themselves were stopped: aborted, or refused for lack of leadership
 */
export async function execute(plan: Plan, context: ExecuteContext): Promise<Execution> {
  const failures: Failure[] = plan.foreign.map(({ child }) => nameTaken(child, context.observer.identity));
  const counts = { writes: 0, refreshed: false, unreached: false };
  const undone = new Set<string>();
  let stale = false;
  for (const step of plan.steps) {
    const child = 'child' in step ? step.child : undefined;
    if (child?.after.some((id) => undone.has(id)) === true) {
      undone.add(child.id);
      continue;
    }
    let result = await attempt(step, { ...context, counts });
    while (result.instead !== undefined) result = await attempt(result.instead, { ...context, counts });
    const { rejection } = result;
    if (rejection === undefined) continue;
    if (child !== undefined) undone.add(child.id);
    if (rejection.type === 'stale') stale = true;
    else failures.push(rejection.failure);
    if (rejection.type === 'away') break;
  }
  return { failures, stale, ...counts };
}
