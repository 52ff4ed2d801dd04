import { TRUNNION } from '../../operator/trunnion.ts';
import type {
  V1EndpointSlice,
  V1IngressStatus,
  V1Job,
  V1PersistentVolumeClaim,
  V1Pod,
  V1ReplicaSet,
  V1Service,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';
import { groupKind } from '../../operator/engine/api/index.ts';
import type { CommonStatus } from '../../operator/engine/api/index.ts';
import { observeChild, observerOf } from '../../operator/engine/observe/index.ts';
import { because } from '../../operator/kinds/shared/diagnosis-text.ts';
import type { Outlook } from '../../operator/kinds/shared/nodes.ts';
import { conditionsIn, deploymentState, jobState } from '../../operator/kinds/shared/slices.ts';
import type { KubeObject } from '../../operator/kube/index.ts';
import { type EventSeen, inWords } from './events.ts';
import { healthOfPod } from './pods.ts';
import type { ObjectState } from './types.ts';

/** What is known beside an object itself. */
export interface Around {
  /** What was told of it, the latest first, one for each reason. */
  readonly events: readonly EventSeen[];
  /** Slices of endpoints of its namespace; undefined where these may not be seen. */
  readonly endpoints: readonly KubeObject[] | undefined;
  /**
   * The pods that it owns.
   *
   * @default - none, or they may not be seen
   */
  readonly pods?: readonly KubeObject[];
  /** Of a pod that finds no node, whether an autoscaler may still add one. */
  readonly outlook?: Outlook | undefined;
}

/** How an object is doing, by its kind. */
export function healthOf(object: KubeObject, around: Around): ObjectState {
  const warnings = around.events.filter(({ warning }) => warning);
  if (groupKind(object) === '/Pod') return healthOfPod(object, warnings, around.outlook);
  if (object.metadata.deletionTimestamp !== undefined) {
    const { finalizers = [] } = object.metadata;
    const waits = finalizers.length > 0 ? [`It goes once these are taken off: ${finalizers.join(', ')}`] : [];
    return { state: 'leaving', summary: 'is being deleted', because: waits };
  }
  const health = (STANDINGS[groupKind(object)] ?? ofAnyKind)(object, around);
  if (health.state === 'ok') return health;
  return { ...health, because: [...health.because, ...warnings.map(inWords)] };
}

type StateOf = (object: KubeObject, around: Around) => ObjectState;

const ok = (summary: string): ObjectState => ({ state: 'ok', summary, because: [] });
const waiting = (summary: string, because: readonly string[] = []): ObjectState => ({
  state: 'waiting',
  summary,
  because,
});
/** Of Kubernetes' own types, of which no kind has rules of its own. */
const OBSERVER = observerOf(TRUNNION, []);

const failed = (summary: string, because: readonly string[] = []): ObjectState => ({
  state: 'failed',
  summary,
  because,
});

const deployment: StateOf = (object) => {
  const observed = observeChild(object, OBSERVER);
  const { desired, ready, updated, replicas, conditions } = deploymentState(observed);
  const summary = `${ready}/${desired} ready`;
  if (observed.ready) return ok(summary);
  const stuck = conditions
    .filter(
      ({ type, status }) =>
        (type === 'ReplicaFailure' && status === 'True') || (type === 'Progressing' && status === 'False'),
    )
    .map(({ reason, message }) => `${reason}${because(message)}`);
  const rolling = updated < replicas ? [`${replicas - updated} of ${replicas} pods are of an earlier template`] : [];
  return stuck.length > 0 ? failed(summary, stuck) : waiting(summary, rolling);
};

/** Its own counts: a group of it that isn't well says so by its pods. */
const leaderWorkerSet: StateOf = (object) => {
  const { spec, status } = object as KubeObject & Pick<V1ReplicaSet, 'spec'> & { readonly status?: GroupCounts };
  const { replicas = 0, readyReplicas = 0, updatedReplicas = 0 } = status ?? {};
  const summary = `${readyReplicas}/${spec?.replicas ?? 1} groups ready`;
  if (observeChild(object, OBSERVER).ready) return ok(summary);
  const older = replicas - updatedReplicas;
  return waiting(summary, older > 0 ? [`${older} of ${replicas} groups are of an earlier template`] : []);
};

interface GroupCounts {
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly updatedReplicas?: number;
}

const replicaSet: StateOf = (object) => {
  const { spec, status } = object as KubeObject & Pick<V1ReplicaSet, 'spec' | 'status'>;
  const [desired, ready] = [spec?.replicas ?? 0, status?.readyReplicas ?? 0];
  const summary = `${ready}/${desired} ready`;
  const failures = (status?.conditions ?? [])
    .filter((condition) => condition.type === 'ReplicaFailure' && condition.status === 'True')
    .map(({ reason = '', message = '' }) => `${reason}${because(message)}`);
  if (failures.length > 0) return failed(summary, failures);
  return ready >= desired ? ok(summary) : waiting(summary);
};

const isRunning = (object: KubeObject): boolean =>
  (object as KubeObject & Pick<V1Pod, 'status'>).status?.phase === 'Running';

const job: StateOf = (object, { pods = [] }) => {
  const { complete, suspended, failed: failure } = jobState(observeChild(object, OBSERVER));
  const { spec, status } = object as KubeObject & Pick<V1Job, 'spec' | 'status'>;
  if (complete) return ok('complete');
  if (failure) return failed('failed', [`${failure.reason}${because(failure.message)}`]);
  if (suspended) return waiting('suspended', ['It is suspended: the queue or the resource decides when it starts']);
  const wanted = spec?.completions ?? spec?.parallelism ?? 1;
  const { active = 0, succeeded = 0 } = status ?? {};
  // Pods that are active may wait for a node or an image as well. Where they may not be seen, the Job's own count has to do.
  const running = pods.length > 0 ? pods.filter(isRunning).length : active;
  const summary = `${running} of ${wanted} run${succeeded > 0 ? `, ${succeeded} succeeded` : ''}`;
  // A pod of it that isn't well says so itself.
  return running + succeeded >= wanted ? ok(summary) : waiting(summary);
};

const claim: StateOf = (object, { events }) => {
  const { spec, status } = object as KubeObject & Pick<V1PersistentVolumeClaim, 'spec' | 'status'>;
  const what = [status?.capacity?.['storage'] ?? spec?.resources?.requests?.['storage'], spec?.storageClassName];
  const summary = [status?.phase ?? 'Pending', ...what].filter(Boolean).join(', ');
  if (status?.phase === 'Bound') return ok(summary);
  // That it waits for its first pod is told as a normal event.
  const reasons = events.filter(({ warning }) => !warning).map(inWords);
  return status?.phase === 'Lost' ? failed(summary, ['Its volume is gone']) : waiting(summary, reasons);
};

const service: StateOf = (object, { endpoints }) => {
  const { metadata } = object;
  const { spec } = object as KubeObject & Pick<V1Service, 'spec'>;
  const address = spec?.clusterIP === 'None' ? 'headless' : (spec?.clusterIP ?? '');
  if (endpoints === undefined) return ok(address);
  const slices = endpoints.filter(
    ({ metadata: { labels = {} } }) => labels['kubernetes.io/service-name'] === metadata.name,
  );
  const ready = slices
    .flatMap((slice) => (slice as KubeObject & Pick<V1EndpointSlice, 'endpoints'>).endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false).length;
  const summary = [address, `${ready} ${ready === 1 ? 'pod answers' : 'pods answer'}`]
    .filter((part) => part !== '')
    .join(', ');
  return ready > 0 || spec?.publishNotReadyAddresses === true
    ? ok(summary)
    : waiting(summary, ['No pod behind it is ready']);
};

const autoscaler: StateOf = (object) => {
  const { spec, status } = object as KubeObject & Pick<V2HorizontalPodAutoscaler, 'spec' | 'status'>;
  const summary = `${status?.currentReplicas ?? 0} replicas, wants ${status?.desiredReplicas ?? 0} of ${spec?.minReplicas ?? 1} to ${spec?.maxReplicas ?? 1}`;
  const off = conditionsIn(object).filter(
    ({ type, status: is }) => is === 'False' && (type === 'AbleToScale' || type === 'ScalingActive'),
  );
  return off.length === 0
    ? ok(summary)
    : waiting(
        summary,
        off.map(({ reason, message }) => `${reason}${because(message)}`),
      );
};

const ingress: StateOf = (object) => {
  const { loadBalancer } = (object['status'] ?? {}) as V1IngressStatus;
  const addresses = (loadBalancer?.ingress ?? []).map(({ hostname, ip }) => hostname ?? ip ?? '');
  return ok(addresses.length > 0 ? addresses.join(', ') : 'no address yet');
};

/** A resource of our own as a child of another: a trial of a search. */
const training: StateOf = (object) => {
  const { phase = 'Pending', conditions = [] } = (object['status'] ?? {}) as CommonStatus;
  const failure = conditions.find(({ type, status }) => type === 'Failed' && status === 'True');
  if (failure) return failed(phase, [failure.message]);
  return phase === 'Completed' || phase === 'Running' ? ok(phase) : waiting(phase);
};

/** Conditions that are good where they are True. */
const GOOD = new Set(['Ready', 'Accepted', 'ResolvedRefs', 'Programmed']);

/** What follows the conventions for conditions; a route has them for each of its parents. */
const ofAnyKind: StateOf = (object) => {
  const { parents = [] } = (object['status'] ?? {}) as { readonly parents?: readonly object[] };
  const conditions = [object, ...parents.map((status) => ({ status }))].flatMap(conditionsIn);
  const bad = conditions.filter(({ type, status }) => GOOD.has(type) && status === 'False');
  return bad.length === 0
    ? ok('')
    : waiting(
        '',
        bad.map(({ reason, message }) => `${reason}${because(message)}`),
      );
};

const STANDINGS: Readonly<Record<string, StateOf>> = {
  '/PersistentVolumeClaim': claim,
  '/Service': service,
  'apps/Deployment': deployment,
  'apps/ReplicaSet': replicaSet,
  'autoscaling/HorizontalPodAutoscaler': autoscaler,
  'batch/Job': job,
  'leaderworkerset.x-k8s.io/LeaderWorkerSet': leaderWorkerSet,
  'networking.k8s.io/Ingress': ingress,
  'trunnion.dev/DistributedTraining': training,
};
