import type { KubeObject } from '../../kube/index.ts';
import { groupKind } from '../api/index.ts';
import type { Observer } from './observer.ts';

interface Workload {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
    readonly phase?: string;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** The controller has seen the latest spec. */
const isObserved = (object: KubeObject, { status }: Workload): boolean =>
  (status?.observedGeneration ?? 0) >= (object.metadata.generation ?? 0);

/** As `kubectl rollout status` has it: all pods are of the new template, the old ones are gone, all are available. */
function isDeploymentReady(object: KubeObject): boolean {
  const deployment = object as KubeObject & Workload;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = deployment.status ?? {};
  const wanted = deployment.spec?.replicas ?? 1;
  return (
    isObserved(object, deployment) &&
    updatedReplicas >= wanted &&
    replicas <= updatedReplicas &&
    availableReplicas >= updatedReplicas
  );
}

function isStatefulSetReady(object: KubeObject): boolean {
  const set = object as KubeObject & Workload;
  const { readyReplicas = 0, updatedReplicas = 0, currentRevision, updateRevision } = set.status ?? {};
  const wanted = set.spec?.replicas ?? 1;
  const isRolled = currentRevision === updateRevision || updatedReplicas >= wanted;
  return isObserved(object, set) && readyReplicas >= wanted && isRolled;
}

/** As `kubectl rollout status` has it of a DaemonSet. */
function isDaemonSetReady(object: KubeObject): boolean {
  const set = object as KubeObject & Workload;
  const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = set.status ?? {};
  return (
    isObserved(object, set) &&
    updatedNumberScheduled >= desiredNumberScheduled &&
    numberAvailable >= desiredNumberScheduled
  );
}

function isReplicaSetReady(object: KubeObject): boolean {
  const set = object as KubeObject & Workload;
  return isObserved(object, set) && (set.status?.readyReplicas ?? 0) >= (set.spec?.replicas ?? 1);
}

/** As its controller has it: surplus groups of a rollout are gone, and all are of the newest template. */
function isLeaderWorkerSetReady(object: KubeObject): boolean {
  const set = object as KubeObject & Workload;
  const { replicas = 0, readyReplicas = 0, updatedReplicas = 0 } = set.status ?? {};
  const wanted = set.spec?.replicas ?? 1;
  return isObserved(object, set) && replicas <= updatedReplicas && updatedReplicas >= wanted && readyReplicas >= wanted;
}

/** A pod that has done its work is as ready as it gets. */
function isPodReady(object: KubeObject): boolean {
  const { status } = object as KubeObject & Workload;
  const isReady = (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True');
  return isReady || status?.phase === 'Succeeded';
}

function isJobComplete(object: KubeObject): boolean {
  const { status } = object as KubeObject & Workload;
  return (status?.conditions ?? []).some(({ type, status: is }) => type === 'Complete' && is === 'True');
}

/**
 * When a child is ready, so that what comes after it may be applied. A kind that isn't here is ready once it exists:
 * a PersistentVolumeClaim too, since it may stay unbound until its first pod asks for it.
 */
const READY: Readonly<Record<string, (object: KubeObject) => boolean>> = {
  'apps/Deployment': isDeploymentReady,
  'apps/StatefulSet': isStatefulSetReady,
  'apps/DaemonSet': isDaemonSetReady,
  'apps/ReplicaSet': isReplicaSetReady,
  'leaderworkerset.x-k8s.io/LeaderWorkerSet': isLeaderWorkerSetReady,
  '/Pod': isPodReady,
  'batch/Job': isJobComplete,
};

type Typed = Pick<KubeObject, 'apiVersion' | 'kind'>;

/** Whether a live object is ready: by what kinds say of its type, or by the table. */
export function isReady(object: KubeObject, { types }: Pick<Observer, 'types'>): boolean {
  const name = groupKind(object);
  const byRule = types.get(name)?.ready ?? READY[name];
  return byRule?.(object) ?? true;
}

/** Whether objects of this kind run pods, and are ready only when these are. */
export const isWorkload = (object: Typed): boolean => Object.hasOwn(READY, groupKind(object));

/** Whether an object of this type is ready as soon as it is made: nothing tells when it would be later. */
export const isReadyOnceMade = (object: Typed, { types }: Pick<Observer, 'types'>): boolean =>
  !isWorkload(object) && types.get(groupKind(object))?.ready === undefined;

/** Whether objects of this kind end, so that one that is ready stays so whatever is done to it. */
export const isFinite = (object: Typed): boolean => groupKind(object) === 'batch/Job';
