import { objectIn, type PlainObject } from '../../../constructs/schema/json.ts';
import { groupKind, groupOf, timestamp } from '../../../operator/engine/api/index.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { completionsOf, podSourceOf } from './workloads.ts';

/** Why something failed. */
export interface Cause {
  /** One CamelCase word. */
  readonly reason?: string;
  readonly message?: string;
  /**
   * Of its containers.
   *
   * @default 1
   */
  readonly exitCode?: number;
}

/** What a status is made of. */
interface Subject {
  readonly object: KubeObject;
  readonly spec: PlainObject;
  readonly generation: number;
  /** How many pods it wants. */
  readonly replicas: number;
  readonly revision: string;
  /** RFC 3339. */
  readonly at: string;
}

type Make = (subject: Subject) => object;

const condition = (type: string, holds: boolean, at: string, reason: string, message = '') => ({
  type,
  status: holds ? 'True' : 'False',
  reason,
  message,
  lastTransitionTime: at,
});

/** The address that a load balancer gives: one of those that are for documentation (RFC 5737). */
const BALANCED = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };

const countsOf = ({ generation: observedGeneration, replicas }: Subject, ready: number) => ({
  observedGeneration,
  replicas,
  updatedReplicas: replicas,
  readyReplicas: ready,
  availableReplicas: ready,
});

/** What the controllers of Kubernetes report of an object that is as its spec says, by type. */
const READY: Readonly<Record<string, Make>> = {
  '/PersistentVolumeClaim': ({ spec }) => ({
    phase: 'Bound',
    accessModes: spec['accessModes'],
    capacity: objectIn(objectIn(spec['resources'])['requests']),
  }),
  '/Service': ({ spec }) => (spec['type'] === 'LoadBalancer' ? BALANCED : { loadBalancer: {} }),
  'apps/DaemonSet': (subject) => daemonStatus(subject, subject.replicas),
  'apps/Deployment': (subject) => ({
    ...countsOf(subject, subject.replicas),
    conditions: [
      condition('Available', true, subject.at, 'MinimumReplicasAvailable'),
      condition('Progressing', true, subject.at, 'NewReplicaSetAvailable'),
    ],
  }),
  'apps/ReplicaSet': (subject) => countsOf(subject, subject.replicas),
  'apps/StatefulSet': (subject) => ({
    ...countsOf(subject, subject.replicas),
    currentReplicas: subject.replicas,
    currentRevision: `${subject.object.metadata.name}-${subject.revision}`,
    updateRevision: `${subject.object.metadata.name}-${subject.revision}`,
  }),
  'autoscaling/HorizontalPodAutoscaler': ({ at }) => ({
    conditions: [
      condition('AbleToScale', true, at, 'ReadyForNewScale'),
      condition('ScalingActive', true, at, 'ValidMetricFound'),
    ],
  }),
  'batch/Job': ({ spec, at }) => ({
    startTime: at,
    completionTime: at,
    succeeded: completionsOf(spec),
    ready: 0,
    ...(spec['completionMode'] === 'Indexed' && { completedIndexes: indexesOf(completionsOf(spec)) }),
    conditions: [
      condition('SuccessCriteriaMet', true, at, 'CompletionsReached'),
      condition('Complete', true, at, 'CompletionsReached'),
    ],
  }),
  'networking.k8s.io/Ingress': () => BALANCED,
  'policy/PodDisruptionBudget': ({ generation, at }) => ({
    observedGeneration: generation,
    conditions: [condition('DisruptionAllowed', true, at, 'SufficientPods')],
  }),
  'gateway.networking.k8s.io/HTTPRoute': ({ spec, at, generation }) => ({
    parents: (Array.isArray(spec['parentRefs']) ? spec['parentRefs'] : []).map((parentRef: unknown) => ({
      parentRef,
      controllerName: 'example.com/gateway',
      conditions: ['Accepted', 'ResolvedRefs'].map((type) => ({
        ...condition(type, true, at, type),
        observedGeneration: generation,
      })),
    })),
  }),
};

const indexesOf = (count: number): string => (count < 2 ? '0' : `0-${count - 1}`);

/** The status of an object whose controller has done its work; undefined where it has none. */
export function readyStatus(object: KubeObject, now: number): object | undefined {
  const make = READY[groupKind(object)] ?? (isCustom(object) ? readyResource : undefined);
  return make?.(subjectOf(object, now));
}

/** Kinds of others mostly have this condition. */
const readyResource: Make = ({ generation, at }) => ({
  observedGeneration: generation,
  conditions: [condition('Ready', true, at, 'Ready')],
});

/** The status of a workload whose pods run, and aren't ready; undefined where an object makes no pods. */
export function startedStatus(object: KubeObject, now: number): object | undefined {
  const subject = subjectOf(object, now);
  const { at, replicas } = subject;
  switch (groupKind(object)) {
    case 'batch/Job':
      return { startTime: at, active: replicas, ready: 0 };
    case 'apps/Deployment':
      return {
        ...countsOf(subject, 0),
        unavailableReplicas: replicas,
        conditions: [
          condition('Available', false, at, 'MinimumReplicasUnavailable'),
          condition('Progressing', true, at, 'ReplicaSetUpdated'),
        ],
      };
    default:
      return podSourceOf(object) === undefined ? undefined : unreadyStatus(subject);
  }
}

const unreadyStatus = (subject: Subject): object =>
  subject.object.kind === 'DaemonSet' ? daemonStatus(subject, 0) : countsOf(subject, 0);

const daemonStatus = ({ generation, replicas }: Subject, ready: number) => ({
  observedGeneration: generation,
  currentNumberScheduled: replicas,
  desiredNumberScheduled: replicas,
  numberAvailable: ready,
  numberMisscheduled: 0,
  numberReady: ready,
  updatedNumberScheduled: replicas,
});

/** The status of an object that failed; undefined where nothing tells that of its type. */
export function failedStatus(object: KubeObject, cause: Cause, now: number): object | undefined {
  const subject = subjectOf(object, now);
  const { at } = subject;
  switch (groupKind(object)) {
    case 'batch/Job': {
      const { reason = 'BackoffLimitExceeded', message = 'Job has reached the specified backoff limit' } = cause;
      const conditions = ['FailureTarget', 'Failed'].map((type) => condition(type, true, at, reason, message));
      return { startTime: at, failed: 1, ready: 0, conditions };
    }
    case 'apps/Deployment': {
      const { reason = 'ProgressDeadlineExceeded', message = 'The Deployment has timed out progressing.' } = cause;
      return {
        ...countsOf(subject, 0),
        unavailableReplicas: subject.replicas,
        conditions: [
          condition('Available', false, at, 'MinimumReplicasUnavailable'),
          condition('Progressing', false, at, reason, message),
        ],
      };
    }
    default:
      if (podSourceOf(object) !== undefined) return unreadyStatus(subject);
      return isCustom(object) ? failedResource(subject, cause) : undefined;
  }
}

const failedResource = ({ generation, at }: Subject, { reason = 'Failed', message = '' }: Cause): object => ({
  observedGeneration: generation,
  conditions: [condition('Ready', false, at, reason, message)],
});

const isCustom = ({ apiVersion }: KubeObject): boolean => {
  const group = groupOf(apiVersion);
  return group.includes('.') && !group.endsWith('.k8s.io');
};

function subjectOf(object: KubeObject, now: number): Subject {
  const { replicas = 1, revision = '' } = podSourceOf(object) ?? {};
  const { generation = 1 } = object.metadata;
  return { object, spec: objectIn(object['spec']), generation, replicas, revision, at: timestamp(now) };
}
