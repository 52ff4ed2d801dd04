import { isSameModel, WEIGHTS_ANNOTATION, weightsKey } from '../../../constructs/parts/weights/index.ts';
import type { FetchedModel } from '../../../constructs/parts/weights/index.ts';
import { groupName } from '../../../constructs/model-serving/group.ts';
import { takesKeda } from '../../../constructs/model-serving/scaling.ts';
import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import type { Resource, Snapshot, ObservedChild, ObservedContainer, ObservedPod } from '../../engine/api/index.ts';
import { groupsOf, groupStatuses } from './groups.ts';
import type { Group, GroupStatus } from './groups.ts';
import { newestFirst } from '../shared/order.ts';
import { scalerKind } from '../shared/scaling.ts';
import { rememberedStatus } from './remembered.ts';

export type ModelServingResource = Resource<ModelServingSpec, ModelServingStatus>;

/** The container that fetches the weights: the Job's, or the server's init container. */
export const FETCH_CONTAINER = 'fetch';
const JOB_LABEL = 'batch.kubernetes.io/job-name';

/** How the weights of a spec come to its servers. */
export type WeightsMode =
  /** A Job fetches them for all replicas. */
  | 'job'
  /** The server's own init container does, since only one node may mount the volume. */
  | 'server'
  /** They lie on a volume that exists. */
  | 'claim'
  /** They are an image. */
  | 'image';

/** The parts that pods of groups play. */
const GROUPED: ReadonlySet<string> = new Set(['server', 'worker']);

/** A snapshot, with each thing in its role. What is on its way out plays none. */
export interface Observed {
  readonly snapshot: Snapshot<ModelServingResource>;
  readonly name: string;
  readonly spec: ModelServingSpec;
  /** What the last status said. */
  readonly status: ModelServingStatus;
  readonly mode: WeightsMode;
  /** The volume of the weights of `spec`. */
  readonly claim?: ObservedChild;
  /** The same, where it is being deleted: it is created again once no pod uses it. */
  readonly leavingClaim?: ObservedChild;
  /** The Jobs that fetch the weights of `spec`, newest first. */
  readonly jobs: readonly ObservedChild[];
  /** What makes servers of one pod each. */
  readonly deployment?: ObservedChild;
  /** What makes servers of several pods each. */
  readonly leaderWorkerSet?: ObservedChild;
  /** The servers of several pods. */
  readonly groups: readonly Group[];
  /** What the status tells of these. */
  readonly groupStatuses: readonly GroupStatus[];
  readonly service?: ObservedChild;
  readonly autoscaler?: ObservedChild;
  /** Pods that answer requests, newest first: of groups, the leaders. */
  readonly servers: readonly ObservedPod[];
  /** Pods that compute for a leader, newest first. */
  readonly workers: readonly ObservedPod[];
  /** Pods of the Jobs, newest first. */
  readonly fetchers: readonly ObservedPod[];
  /** The image with the fetcher in it that the operator is set to. */
  readonly fetcherImage?: string | undefined;
}

export function observedOf(snapshot: Snapshot<ModelServingResource>, fetcherImage?: string): Observed {
  const { resource, pods } = snapshot;
  const { spec, metadata } = resource;
  const key = weightsKey(spec.model);
  const children = newestFirst(snapshot.children);
  const child = (kind: string, name: string) =>
    children.find((candidate) => candidate.kind === kind && candidate.name === name);
  const claimName = `${metadata.name}-weights-${key}`;
  const claim = child('PersistentVolumeClaim', claimName);
  const leavingClaim = snapshot.children.find(
    ({ kind, name, deleting }) => kind === 'PersistentVolumeClaim' && name === claimName && deleting,
  );
  const deployment = child('Deployment', metadata.name);
  const setName = groupName(metadata.name);
  const leaderWorkerSet = child('LeaderWorkerSet', setName);
  const groups = groupsOf(
    setName,
    pods.filter(({ labels }) => GROUPED.has(labels['app.kubernetes.io/component'] ?? '')),
  );
  const service = child('Service', metadata.name);
  const autoscaler = spec.autoscaling && child(scalerKind(takesKeda(spec.autoscaling)), metadata.name);
  const component = (name: string) =>
    newestFirst(pods.filter(({ labels }) => labels['app.kubernetes.io/component'] === name));
  const servers = component('server');
  const status = asMounted(rememberedStatus(resource), servers);
  return {
    snapshot,
    name: metadata.name,
    spec,
    status,
    mode: weightsMode(spec),
    ...(claim && { claim }),
    ...(leavingClaim && { leavingClaim }),
    jobs: children.filter((each) => each.kind === 'Job' && weightsKeyOf(each) === key),
    ...(deployment && { deployment }),
    ...(leaderWorkerSet && { leaderWorkerSet }),
    groups,
    groupStatuses: groupStatuses(groups, status.groups),
    ...(service && { service }),
    ...(autoscaler && { autoscaler }),
    servers,
    workers: component('worker'),
    fetchers: component('fetcher'),
    ...(fetcherImage !== undefined && { fetcherImage }),
  };
}

/**
 * Earlier operators fetched no vocabulary with gpt-oss: where pods mount such a volume, what they serve is another model,
 * which serves on until the new volume is filled.
 */
function asMounted(status: ModelServingStatus, servers: readonly ObservedPod[]): ModelServingStatus {
  const { served } = status;
  if (served === undefined) return status;
  const model = { ...served.spec.model, vocabulary: 'none' as const };
  const isEarlier = !isSameModel(model, served.spec.model) && servers.some((pod) => mounts(pod, model));
  return isEarlier ? { ...status, served: { ...served, spec: { ...served.spec, model } } } : status;
}

/** Unlike the construct's own, it never throws: reconcile comes before the spec is judged. */
export function weightsMode({ model, storage }: ModelServingSpec): WeightsMode {
  if (model.uri.startsWith('pvc://')) return 'claim';
  if (model.uri.startsWith('oci://')) return 'image';
  return (storage?.accessMode ?? 'ReadWriteOnce') === 'ReadWriteOnce' ? 'server' : 'job';
}

/** The key of the weights that a Job fetches. */
function weightsKeyOf({ slice }: ObservedChild): string | undefined {
  const annotations = slice['annotations'] as Readonly<Record<string, string>> | undefined;
  return annotations?.[WEIGHTS_ANNOTATION];
}

/** Whether a pod mounts the weights of this model. */
export const mounts = ({ annotations }: ObservedPod, model: FetchedModel): boolean =>
  annotations[WEIGHTS_ANNOTATION] === weightsKey(model);

/** Whether a pod is known to mount other weights than those of this model. */
export const mountsOther = (pod: ObservedPod, model: FetchedModel): boolean =>
  pod.annotations[WEIGHTS_ANNOTATION] !== undefined && !mounts(pod, model);

/** Whether a pod was made by this Job. */
export const isOfJob = ({ labels }: ObservedPod, job: ObservedChild): boolean => labels[JOB_LABEL] === job.name;

export const containerOf = ({ containers }: ObservedPod, name: string): ObservedContainer | undefined =>
  containers.find((container) => container.name === name);

/** Whether there is something that makes servers. */
export const isDeployed = ({ deployment, leaderWorkerSet }: Observed): boolean =>
  deployment !== undefined || leaderWorkerSet !== undefined;
