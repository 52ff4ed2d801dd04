import { SpecError } from '../../../constructs/schema/error.ts';
import type { Resource } from '../api/index.ts';
import type { Pass } from './pass.ts';
import { ReconcileError } from './reconcile-errors.ts';

/**
 * Calls a function of a kind for the resource of a pass, under the watchdog.
 *
 * @param step - what is done: `decide`, `render`, `refuse`
 * @throws SpecError as the kind throws it; ReconcileError for all else that it throws, where it took too long, and where it
 * promises an answer instead of giving one
 */
export function callKind<R extends Resource, State, T>(pass: Pass<R, State>, step: string, work: () => T): T {
  const { tracer, watchdog } = pass.context;
  const { kind, metadata } = pass.resource;
  const ref = { kind, namespace: metadata.namespace ?? '', name: metadata.name };
  return tracer.step(step, () => {
    try {
      return given(watchdog.watch(ref, step, work, () => (pass.slow = true)));
    } catch (error) {
      throw error instanceof SpecError ? error : new ReconcileError(step, error);
    }
  });
}

/** Nobody waits for what a promise comes to; if it were rejected, that would end the operator. */
function given<T>(answer: T): T {
  if (!(answer instanceof Promise)) return answer;
  answer.catch(() => undefined);
  throw new TypeError('it is asynchronous, and must give its answer at once');
}
