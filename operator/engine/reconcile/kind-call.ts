import { SpecError } from '../../../constructs/schema/error.ts';
import type { Resource } from '../api/index.ts';
import type { Memory } from './memory.ts';
import { ReconcileError } from './reconcile-errors.ts';
import type { Watchdog } from '../telemetry/index.ts';

/**
 * Calls a function of a kind for a resource, under the eyes of the watchdog.
 *
 * @param step - what is done: `decide`, `render`
 * @throws SpecError as the kind throws it; ReconcileError for all else that it throws, where it took too long, and where it
 * promises an answer instead of giving one
 */
export function callKind<T>(resource: Resource, step: string, work: () => T, memory: Memory, watchdog: Watchdog): T {
  const { kind, metadata } = resource;
  const ref = { kind, namespace: metadata.namespace ?? '', name: metadata.name };
  try {
    return given(watchdog.watch(ref, step, work, () => (memory.slowNow = true)));
  } catch (error) {
    throw error instanceof SpecError ? error : new ReconcileError(step, error);
  }
}

/** What a promise comes to, nobody waits for; were it rejected, that would end the operator. */
function given<T>(answer: T): T {
  if (!(answer instanceof Promise)) return answer;
  answer.catch(() => undefined);
  throw new TypeError('it is asynchronous, and must give its answer at once');
}
