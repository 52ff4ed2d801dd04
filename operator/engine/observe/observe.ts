import { hash } from 'node:crypto';
import type { V1Container, V1ContainerState, V1ContainerStatus, V1Pod, V1Probe } from '@kubernetes/client-node';
import { PRODUCT_LABELS } from '../../../constructs/parts/pod/index.ts';
import { smallest, plainText } from '../../../constructs/parts/values/index.ts';
import { has, digestOfOwned, ownsPath } from '../../kube/index.ts';
import type { KubeObject, OwnerReference } from '../../kube/index.ts';
import type { ContainerEnd, ObservedChild, ObservedContainer, ObservedPod } from '../api/index.ts';
import type { Identity } from '../api/index.ts';
import type { Observer } from './observer.ts';
import { isReady } from './ready.ts';
import { annotationsOf, sliceOf } from './slices.ts';
import { podLabelsOf, staysFor } from './staying.ts';

/** Fields of children that others may own, as `unmanagedFields` names them. */
const YIELDED_PATHS = ['spec.replicas', 'spec.suspend'];

/** By annotations of this domain a Job tells how often a pod was created again. */
const JOB_DOMAIN = 'batch.kubernetes.io/';

/** Longest word of others, in characters. */
const LONGEST_WORD = 512;

/** Longest sentence of others, in characters: as much as the kubelet takes of a container's last words, in bytes. */
const LONGEST_MESSAGE = 4_096;

/** The owner that controls an object. */
export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find(({ controller }) => controller === true);

/**
 * What is kept of a live child. Its managed fields are read here, and dropped.
 *
 * @param known - what is kept of an earlier version of it. Most changes are those of a status: our fields are as they
 * were, and a digest of them is dear.
 */
export function observeChild(object: KubeObject, observer: Observer, known?: ObservedChild): ObservedChild {
  const { identity } = observer;
  const { apiVersion, kind, metadata } = object;
  const ownerUid = ownerUidOf(object, identity);
  const stamp = stampOf(object, identity);
  const selector = staysFor(object, identity);
  const podLabels = podLabelsOf(object);
  const ours = stamp !== undefined && stamp === known?.stamp ? known : ourFieldsOf(object, identity);
  return {
    apiVersion,
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    ...(ownerUid !== undefined && { ownerUid }),
    createdAt: Date.parse(metadata.creationTimestamp),
    deleting: metadata.deletionTimestamp !== undefined,
    ...(selector !== undefined && { staysFor: selector }),
    ...(podLabels !== undefined && { podLabels }),
    digest: ours.digest,
    ...(stamp !== undefined && { stamp }),
    owns: ours.owns,
    ready: isReady(object, observer),
    slice: sliceOf(object, observer),
  };
}

/** Who controls it; of what can't have an owner, since it lies elsewhere than its resource, a label says it. */
const ownerUidOf = (object: KubeObject, { labels }: Identity): string | undefined =>
  controllerOf(object)?.uid ?? object.metadata.labels?.[labels.uid];

const ourFieldsOf = (object: KubeObject, { fieldManager }: Identity): Pick<ObservedChild, 'digest' | 'owns'> => ({
  digest: digestOfOwned(object, fieldManager),
  owns: YIELDED_PATHS.filter((path) => ownsPath(object, fieldManager, path)),
});

/**
 * A digest of all by which the fields that we own may differ from those of another version: the generation, which counts
 * the changes of a spec, the metadata that we may own, and what is ours by the managed fields. Undefined where no
 * generation counts all changes.
 */
function stampOf({ metadata, spec }: KubeObject, { fieldManager }: Identity): string | undefined {
  const { generation, labels, annotations = {}, ownerReferences, finalizers, managedFields = [] } = metadata;
  if (generation === undefined || spec === undefined) return undefined;
  const ours = managedFields.filter(({ manager }) => manager === fieldManager);
  // Others keep notes of their own there: of each new Deployment its revision, soon after it is made.
  const notes = Object.entries(annotations).filter(([name]) =>
    ours.some(({ fieldsV1 }) => has(fieldsV1, ['metadata', 'annotations', name])),
  );
  const parts = JSON.stringify([generation, labels, notes, ownerReferences, finalizers, ours]);
  return hash('sha256', parts, 'base64url').slice(0, 16);
}

/** A pod as it comes over the wire: times are text, which client-node's types take for dates. */
type WirePod = KubeObject & Pick<V1Pod, 'spec' | 'status'>;

/** What is kept of a pod. */
export function observePod(object: KubeObject, { domain }: Pick<Identity, 'domain'>): ObservedPod {
  const { metadata, spec, status = {} } = object as WirePod;
  const sidecars = new Set(sidecarsOf(spec).map(({ name }) => name));
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid,
    labels: metadata.labels ?? {},
    annotations: annotationsOf(metadata, [`${domain}/`, JOB_DOMAIN]),
    createdAt: Date.parse(metadata.creationTimestamp),
    deleting: metadata.deletionTimestamp !== undefined,
    // The time of a pod's deletion is that at which its grace is over.
    ...(metadata.deletionTimestamp !== undefined && { goneBy: Date.parse(metadata.deletionTimestamp) }),
    ...departure(metadata, status),
    ...unreadiness(status),
    phase: text(status.phase) || 'Unknown',
    ...(status.reason !== undefined && { reason: text(status.reason) }),
    ...devicesOf(spec),
    ...(spec?.nodeName !== undefined && { node: text(spec.nodeName) }),
    ...(status.podIP !== undefined && { ip: status.podIP }),
    conditions: (status.conditions ?? []).map((condition) => ({
      type: text(condition.type),
      status: text(condition.status),
      reason: text(condition.reason),
      message: sentence(condition.message),
    })),
    containers: [
      ...(status.initContainerStatuses ?? []).map((container) => ({
        ...observeContainer(container, true, spec?.initContainers),
        ...(sidecars.has(container.name) && { sidecar: true as const }),
      })),
      ...(status.containerStatuses ?? []).map((container) => observeContainer(container, false, spec?.containers)),
    ],
  };
}

/** The init containers that are started again whenever they end. */
const sidecarsOf = (spec: V1Pod['spec']): readonly V1Container[] =>
  (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');

/**
 * The GPU products that a pod may have: by its selector, or by a node affinity that it must have. Of several terms any
 * one will do.
 */
const productsOf = (spec: V1Pod['spec'], label: string): readonly string[] => {
  const { nodeSelectorTerms = [] } = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? {};
  const byAffinity = nodeSelectorTerms
    .flatMap(({ matchExpressions = [] }) => matchExpressions)
    .filter(({ key, operator }) => key === label && operator === 'In')
    .flatMap(({ values = [] }) => values);
  const bySelector = spec?.nodeSelector?.[label];
  return bySelector === undefined ? [...new Set(byAffinity)].toSorted() : [bySelector];
};

/** Extended resources are those that have a domain in their names. */
function devicesOf(spec: V1Pod['spec']): Pick<ObservedPod, 'devices'> {
  const names = (spec?.containers ?? []).flatMap(({ resources }) =>
    Object.entries({ ...resources?.requests, ...resources?.limits })
      .filter(([name, amount]) => name.includes('/') && amount !== '0')
      .map(([name]) => name),
  );
  if (names.length === 0) return {};
  const products = PRODUCT_LABELS.flatMap((label) => productsOf(spec, label));
  return { devices: text([...new Set(names)].toSorted().concat(products).join(' ')) };
}

/**
 * Since when a pod is being removed: it is deleted, or its condition says that it will be. The kubelet tells the latter
 * once all has stopped, so its condition is no such time.
 */
function departure(
  { deletionTimestamp, deletionGracePeriodSeconds = 0 }: KubeObject['metadata'],
  { conditions = [] }: NonNullable<WirePod['status']>,
): Pick<ObservedPod, 'goesSince'> {
  const targets = conditions.filter(
    ({ type, status, reason }) => type === 'DisruptionTarget' && status === 'True' && reason !== 'TerminationByKubelet',
  );
  const times = [
    Date.parse(asSent(deletionTimestamp)) - deletionGracePeriodSeconds * 1000,
    ...targets.map(({ lastTransitionTime }) => Date.parse(asSent(lastTransitionTime))),
  ].filter((time) => !Number.isNaN(time));
  return times.length === 0 ? {} : { goesSince: smallest(times) };
}

function unreadiness({ conditions = [] }: NonNullable<WirePod['status']>): Pick<ObservedPod, 'unreadySince'> {
  const ready = conditions.find(({ type }) => type === 'ContainersReady');
  const since = Date.parse(asSent(ready?.lastTransitionTime));
  return ready?.status === 'False' && !Number.isNaN(since) ? { unreadySince: since } : {};
}

function observeContainer(
  container: V1ContainerStatus,
  init: boolean,
  specs: readonly V1Container[] = [],
): ObservedContainer {
  const startupSeconds = secondsOf(specs.find(({ name }) => name === container.name)?.startupProbe);
  const { waiting, running } = container.state ?? {};
  const terminated = endOf(container.state);
  const lastTerminated = endOf(container.lastState);
  return {
    name: text(container.name),
    init,
    ready: container.ready,
    started: container.started ?? false,
    ...(startupSeconds !== undefined && { startupSeconds }),
    restarts: container.restartCount,
    ...(container.image !== '' && { image: text(container.image) }),
    ...(waiting !== undefined && { waiting: { reason: text(waiting.reason), message: sentence(waiting.message) } }),
    ...(running !== undefined && { running: { startedAt: text(running.startedAt) } }),
    ...(terminated !== undefined && { terminated }),
    ...(lastTerminated !== undefined && { lastTerminated }),
  };
}

/** Kubernetes' defaults are 10 s and 3 times; the first try comes after the delay, and not a period later. */
const secondsOf = (probe: V1Probe | undefined): number | undefined =>
  probe && (probe.initialDelaySeconds ?? 0) + (probe.periodSeconds ?? 10) * ((probe.failureThreshold ?? 3) - 1);

function endOf(state: V1ContainerState | undefined): ContainerEnd | undefined {
  const end = state?.terminated;
  if (end === undefined) return undefined;
  const { exitCode, reason, message, startedAt, finishedAt } = end;
  return {
    exitCode,
    reason: text(reason),
    message: lastWords(message),
    ...(asSent(startedAt) !== '' && { startedAt: text(startedAt) }),
    finishedAt: text(finishedAt),
  };
}

/** A word of others (a phase, a reason, the name of a node, a time), as text that steers nothing. */
const text = (value: unknown): string => plainText(asSent(value), { max: LONGEST_WORD });

/** A sentence of others: what begins it tells most. */
const sentence = (value: unknown): string => plainText(asSent(value), { lines: true, max: LONGEST_MESSAGE });

/** What a program said last: its end tells most. Programs that draw their progress end lines by a carriage return. */
const lastWords = (value: unknown): string =>
  plainText(asSent(value).slice(-LONGEST_MESSAGE).replaceAll(/\r\n?/g, '\n'), { lines: true });

/** Text as it came over the wire; what is not text is none. */
const asSent = (value: unknown): string => (typeof value === 'string' ? value : '');
