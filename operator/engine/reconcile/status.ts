import { isDeepStrictEqual } from 'node:util';
import type { KubeClient, EventNote, KubeObject, ResourceType } from '../../kube/index.ts';
import { conditionOf, STATUS_MANAGER } from '../api/index.ts';
import type { CommonStatus, Condition, Resource } from '../api/index.ts';
import { statusFailure } from './reconcile-errors.ts';

/** A status as it will be written: about this generation, with times of transition that tell transitions. */
export function finishStatus<Status extends CommonStatus>(resource: Resource, status: Status): Status {
  const conditions = status.conditions?.map((condition) => keepTransition(resource.status?.conditions, condition));
  return plain({
    ...status,
    observedGeneration: resource.metadata.generation ?? 0,
    ...(conditions !== undefined && { conditions }),
  });
}

/** Whether writing the status would change nothing. */
export const isWritten = (resource: Resource, status: CommonStatus): boolean =>
  isDeepStrictEqual(resource.status ?? {}, status);

/**
 * Writes a status onto the very resource that it was decided on: were that another by now, or changed, the status could
 * be wrong, and what kinds remember in it be lost.
 *
 * @throws ApiError 409 where the resource is not as it was; OutdatedCrdError where its CRD does not know the status;
 * StatusRefusedError where the API server does not take it
 */
export async function applyStatus(
  client: Pick<KubeClient, 'apply'>,
  type: ResourceType,
  { apiVersion, kind, metadata }: Resource,
  status: CommonStatus,
  options: { readonly signal?: AbortSignal },
): Promise<KubeObject> {
  const { name, namespace, uid, resourceVersion } = metadata;
  const guarded = { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion };
  const written = client.apply(
    type,
    { apiVersion, kind, metadata: guarded, status },
    { fieldManager: STATUS_MANAGER, force: true, subresource: 'status', ...options },
  );
  return written.catch((error: unknown) => {
    throw statusFailure(type, error);
  });
}

/**
 * The event that tells a change of phase, in the words of the condition Ready, or, of a kind that ends and is never
 * ready, of the condition that the phase is named after. That a new resource is pending is no news;
 * that it failed is, or that it is well already.
 */
export function phaseEvent(before: CommonStatus | undefined, after: CommonStatus): EventNote | undefined {
  const { phase } = after;
  const isFailure = phase === 'Failed' || phase === 'Error';
  if (phase === undefined || phase === before?.phase) return undefined;
  const about = aboutPhase(after, phase);
  if (before?.phase === undefined && !isFailure && about?.status !== 'True') return undefined;
  const accepted = conditionOf(after.conditions, 'Accepted');
  const says = accepted?.status === 'False' ? accepted : about;
  return {
    type: isFailure ? 'Warning' : 'Normal',
    reason: phase,
    action: 'Reconcile',
    message: says === undefined || says.message === '' ? `The phase is ${phase}.` : says.message,
  };
}

/** `Complete` is the condition of the phase Completed, as `kubectl wait` knows it. */
const aboutPhase = ({ conditions }: CommonStatus, phase: string): Condition | undefined =>
  conditionOf(conditions, 'Ready') ?? conditions?.find(({ type }) => phase.startsWith(type));

function keepTransition(before: readonly Condition[] | undefined, condition: Condition): Condition {
  const last = conditionOf(before, condition.type);
  return last?.status === condition.status ? { ...condition, lastTransitionTime: last.lastTransitionTime } : condition;
}

/** As it comes back from the server: without what is undefined. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
