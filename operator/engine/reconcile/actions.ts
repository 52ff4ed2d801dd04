import { ApiError, TYPES } from '../../kube/index.ts';
import type { KubeClient } from '../../kube/index.ts';
import { MANAGED_BY_LABEL, rejectionOf } from '../api/index.ts';
import type { Identity, Result, Kind, PodMark, Failure, Resource, SecretToMake } from '../api/index.ts';
import { labelsFor, ownerReference } from '../plan/index.ts';

export interface ActionContext {
  readonly client: Pick<KubeClient, 'create' | 'delete' | 'find' | 'patch'>;
  readonly kind: Pick<Kind, 'label' | 'secrets' | 'type'>;
  readonly resource: Resource;
  readonly identity: Identity;
  readonly signal?: AbortSignal;
}

/** The part of a result that is about other objects than children. */
type Actions = Pick<Result<unknown, unknown>, 'makeSecrets' | 'markPods' | 'removePods'>;

/**
 * Does what a result asks for other than about children. Each action is done once, and the next pass sees that it is done;
 * what somebody else has done in the meantime is no failure.
 *
 * @throws where the writes themselves were stopped: aborted, or refused for lack of leadership
 */
export async function runActions(
  { makeSecrets = [], markPods = [], removePods = [] }: Actions,
  context: ActionContext,
) {
  const failures: Failure[] = [];
  const attempt = async (write: Promise<unknown>): Promise<void> => {
    try {
      await write;
    } catch (error) {
      const rejection = rejectionOf(error);
      if (rejection.type !== 'stale') failures.push(rejection.failure);
    }
  };
  const { client, signal } = context;
  const call = signal === undefined ? {} : { signal };
  const namespace = context.resource.metadata.namespace ?? '';
  for (const { name, uid, force = false, graceSeconds } of removePods) {
    const gracePeriodSeconds = force ? 0 : graceSeconds;
    const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
    await attempt(client.delete(TYPES.pod, { namespace, name }, { uid, ...grace, ...call }));
  }
  for (const mark of markPods) await attempt(markPod({ namespace, ...mark }, context));
  for (const secret of makeSecrets) await attempt(ensureSecret({ namespace, ...secret }, context));
  return failures;
}

/** A pod that is gone, is another one by now, or has its labels already fails the patch's tests, and is left alone. */
async function markPod(
  mark: PodMark & { readonly namespace: string },
  { client, signal }: ActionContext,
): Promise<void> {
  try {
    await client.patch(TYPES.pod, mark, markPatch(mark), signal === undefined ? {} : { signal });
  } catch (error) {
    const isLeft = error instanceof ApiError && (error.status === 404 || error.status === 422);
    if (!isLeft) throw error;
  }
}

/**
 * Sets the labels and removes the gate in one patch, only on the pod that was seen: its container reads the labels when it
 * starts.
 */
const markPatch = ({ uid, labels, gate }: PodMark): readonly object[] => [
  { op: 'test', path: '/metadata/uid', value: uid },
  { op: 'test', path: '/spec/schedulingGates/0/name', value: gate },
  ...Object.entries(labels).map(([key, value]) => ({ op: 'add', path: `/metadata/labels/${pointer(key)}`, value })),
  { op: 'remove', path: '/spec/schedulingGates/0' },
];

/** A key as a part of a JSON pointer. */
const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Deletes the resource itself, in the version that this was decided on, and with it its children. */
export async function deleteResource({
  client,
  kind,
  resource,
  signal,
}: Omit<ActionContext, 'identity'>): Promise<void> {
  const { name, namespace = '', uid, resourceVersion } = resource.metadata;
  const options = { uid, resourceVersion, propagationPolicy: 'Background', ...(signal && { signal }) } as const;
  await client.delete(kind.type, { namespace, name }, options);
}

/** It is made once: an existing Secret of that name is kept, even if somebody else made it. */
async function ensureSecret(
  { by, ...ref }: SecretToMake & { readonly namespace: string },
  { client, kind, resource, identity, signal }: ActionContext,
): Promise<void> {
  const call = signal === undefined ? {} : { signal };
  if ((await client.find(TYPES.secret, ref, call)) !== undefined) return;
  const make = kind.secrets?.[by];
  if (make === undefined) throw new Error(`nothing of ${resource.kind} makes the content ${by} of a Secret`);
  const { type = 'Opaque', stringData } = make();
  const labels = { ...labelsFor(kind, resource, identity), [MANAGED_BY_LABEL]: identity.managedBy };
  const metadata = { ...ref, labels, ownerReferences: [ownerReference(resource)] };
  await client.create(TYPES.secret, { apiVersion: 'v1', kind: 'Secret', metadata, type, stringData }, call);
}
