import { plainValues } from '../../../constructs/parts/values/index.ts';
import { isObject } from '../../../constructs/schema/json.ts';
import type { KubeObject } from '../../kube/index.ts';
import { groupKind } from '../api/index.ts';
import type { Observer } from './observer.ts';

/** Of a type that has no row, and of which no kind says what it keeps. */
const GENERIC = ['status.observedGeneration', 'status.phase', 'status.conditions'];

/**
 * What the cache keeps of a child of Kubernetes' own types, as paths in the object. Leave out what changes by itself (current metrics,
 * probe times): each change of a slice wakes the resource that the child belongs to.
 */
const SLICES: Readonly<Record<string, readonly string[]>> = {
  '/PersistentVolumeClaim': [
    'spec.storageClassName',
    'spec.accessModes',
    'spec.volumeName',
    'spec.resources.requests.storage',
    'status.phase',
    'status.capacity.storage',
    'status.allocatedResourceStatuses.storage',
    'status.conditions',
  ],
  '/Service': ['spec.clusterIP', 'status.loadBalancer'],
  'apps/Deployment': [
    'spec.replicas',
    'status.observedGeneration',
    'status.replicas',
    'status.updatedReplicas',
    'status.readyReplicas',
    'status.availableReplicas',
    'status.unavailableReplicas',
    'status.conditions',
  ],
  'apps/StatefulSet': [
    'spec.replicas',
    'status.observedGeneration',
    'status.replicas',
    'status.updatedReplicas',
    'status.readyReplicas',
    'status.availableReplicas',
    'status.currentRevision',
    'status.updateRevision',
    'status.conditions',
  ],
  'apps/DaemonSet': [
    'status.observedGeneration',
    'status.desiredNumberScheduled',
    'status.updatedNumberScheduled',
    'status.numberAvailable',
    'status.numberReady',
    'status.conditions',
  ],
  'apps/ReplicaSet': [
    'spec.replicas',
    'status.observedGeneration',
    'status.replicas',
    'status.readyReplicas',
    'status.conditions',
  ],
  'batch/CronJob': ['spec.suspend', 'status.active', 'status.lastScheduleTime', 'status.lastSuccessfulTime'],
  'batch/Job': [
    'spec.parallelism',
    'spec.completions',
    'spec.suspend',
    'status.active',
    'status.ready',
    'status.succeeded',
    'status.failed',
    'status.completedIndexes',
    'status.failedIndexes',
    'status.startTime',
    'status.completionTime',
    'status.conditions',
  ],
  'policy/PodDisruptionBudget': ['status.conditions'],
  'autoscaling/HorizontalPodAutoscaler': [
    'spec.minReplicas',
    'spec.maxReplicas',
    'status.currentReplicas',
    'status.desiredReplicas',
    'status.conditions',
  ],
  'networking.k8s.io/Ingress': ['status.loadBalancer'],
};

/** Longest text of a status that is kept, in characters. */
const LONGEST_TEXT = 4_096;

/** The annotations of an object whose names are in these domains. */
export const annotationsOf = (
  { annotations = {} }: KubeObject['metadata'],
  domains: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(annotations).filter(([key]) => domains.some((domain) => key.startsWith(domain))));

/** What is kept of a live object: its generation, its annotations of the operator's domain, and paths as they are in it. */
export function sliceOf(object: KubeObject, { identity, types }: Observer): Readonly<Record<string, unknown>> {
  const slice: Record<string, unknown> = {};
  const { generation } = object.metadata;
  if (generation !== undefined) slice['generation'] = generation;
  const annotations = annotationsOf(object.metadata, [`${identity.domain}/`]);
  if (Object.keys(annotations).length > 0) slice['annotations'] = annotations;
  return { ...slice, ...pathsOf(object, types.get(groupKind(object))?.keep ?? SLICES[groupKind(object)] ?? GENERIC) };
}

/** The values at dotted paths, in their places, with plain texts; what is not there is left out. */
export function pathsOf(object: unknown, paths: readonly string[]): Readonly<Record<string, unknown>> {
  const slice: Record<string, unknown> = {};
  for (const path of paths) copy(object, slice, path.split('.'));
  return slice;
}

/** The value at a dotted path; undefined where there is none. */
export function valueAt(object: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), object);
}

function copy(from: unknown, to: Record<string, unknown>, [name, ...rest]: readonly string[]): void {
  if (name === undefined || !isObject(from) || from[name] === undefined) return;
  if (rest.length === 0) {
    to[name] = plainValues(from[name], { lines: true, max: LONGEST_TEXT });
    return;
  }
  const inner = isObject(to[name]) ? to[name] : {};
  copy(from[name], inner, rest);
  if (Object.keys(inner).length > 0) to[name] = inner;
}
