import { isDeepStrictEqual } from 'node:util';
import type { KubeClient, EventNote, KubeObject, ResourceType } from '../../kube/index.ts';
import { conditionOf, stampConditions, timestamp } from '../api/index.ts';
import type { BareStatus, CommonStatus, Condition, Identity, Resource } from '../api/index.ts';
import { statusFailure } from './reconcile-errors.ts';

/**
 * A status as it will be written: about this generation, with times of transition that tell transitions.
 *
 * @param now - milliseconds since the epoch
 * @param updatedField - see {@link Kind.updatedField}
 */
export function finishStatus<Status extends CommonStatus>(
  resource: Resource<unknown, Status>,
  { status, conditions }: BareStatus<Status>,
  now: number,
  updatedField?: string,
): Status {
  const { metadata, status: before } = resource;
  const { generation = 0 } = metadata;
  const stamped = stampConditions(conditions, before?.conditions, generation, now);
  const next = plain({
    ...status,
    observedGeneration: generation,
    ...(stamped.length > 0 && { conditions: stamped }),
  }) as unknown as Status;
  return updatedField === undefined ? next : dated(updatedField, before, next, now);
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
  { identity, ...options }: { readonly identity: Identity; readonly signal?: AbortSignal },
): Promise<KubeObject> {
  const { name, namespace, uid, resourceVersion } = metadata;
  const guarded = { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion };
  const written = client.apply(
    type,
    { apiVersion, kind, metadata: guarded, status },
    { fieldManager: identity.statusManager, force: true, subresource: 'status', ...options },
  );
  return written.catch((error: unknown) => {
    throw statusFailure(type, error, identity);
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
  const condition = accepted?.status === 'False' ? accepted : about;
  return {
    type: isFailure ? 'Warning' : 'Normal',
    reason: phase,
    action: 'Reconcile',
    message: condition === undefined || condition.message === '' ? `The phase is ${phase}.` : condition.message,
  };
}

/** `Complete` is the condition of the phase Completed, as `kubectl wait` knows it. */
const aboutPhase = ({ conditions }: CommonStatus, phase: string): Condition | undefined =>
  conditionOf(conditions, 'Ready') ?? conditions?.find(({ type }) => phase.startsWith(type));

/** With the time at which anything else of it last changed. */
function dated<Status extends object>(field: string, before: Status | undefined, next: Status, now: number): Status {
  const isSame = isDeepStrictEqual({ ...before, [field]: '' }, { ...next, [field]: '' });
  const last = isSame ? (before as Readonly<Record<string, unknown>> | undefined)?.[field] : undefined;
  return { ...next, [field]: last ?? timestamp(now) };
}

/** As it comes back from the server: without what is undefined. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
