import type { KubeObject } from '../../../../operator/kube/index.ts';

/** An object as the API server has it, with what a test is about. */
export function live(
  apiVersion: string,
  kind: string,
  name: string,
  { owner, metadata = {}, ...rest }: { owner?: string; metadata?: object; [field: string]: unknown } = {},
): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace: 'models',
      uid: `uid of ${kind} ${name}`,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(owner !== undefined && {
        ownerReferences: [{ apiVersion, kind: '', name: '', uid: owner, controller: true }],
      }),
      ...metadata,
    },
    ...rest,
  };
}

/** The UID of an object that `live` makes. */
export const uidOf = (kind: string, name: string): string => `uid of ${kind} ${name}`;

/** A pod that has come so far. */
export function pod(
  name: string,
  status: object,
  { owner, spec = {}, metadata = {} }: { owner?: string; spec?: object; metadata?: object } = {},
): KubeObject {
  return live('v1', 'Pod', name, { ...(owner !== undefined && { owner }), spec, metadata, status });
}

/** The status of a pod that is ready. */
export const READY_POD = {
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [
    {
      name: 'server',
      image: 'a',
      ready: true,
      restartCount: 0,
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
    },
  ],
};

/** The status of a pod for which the scheduler has found no node. */
export const UNSCHEDULABLE_POD = {
  phase: 'Pending',
  conditions: [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message:
        '0/3 nodes are available: 3 Insufficient nvidia.com/gpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
    },
  ],
};

/** An event about an object. */
export const event = (
  about: KubeObject,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
  count = 1,
): KubeObject =>
  live('v1', 'Event', `${about.metadata.name}.${reason}`, {
    involvedObject: { uid: about.metadata.uid },
    type,
    reason,
    message,
    count,
    lastTimestamp: '2026-01-01T00:01:00Z',
  });
