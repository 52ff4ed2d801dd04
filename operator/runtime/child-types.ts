import { TYPES } from '../kube/index.ts';
import { resourceType } from '../kube/index.ts';
import type { ChildType, OptionalType } from '../engine/api/index.ts';
import type { ResourceType } from '../kube/index.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** Of Kubernetes' own types, those that are made as children. */
const NAMESPACED: readonly ResourceType[] = [
  TYPES.configMap,
  TYPES.persistentVolumeClaim,
  TYPES.pod,
  resourceType('', 'v1', 'ReplicationController'),
  TYPES.limitRange,
  TYPES.resourceQuota,
  TYPES.secret,
  TYPES.service,
  TYPES.serviceAccount,
  resourceType('', 'v1', 'Endpoints', 'endpoints'),
  TYPES.endpointSlice,
  resourceType('apps', 'v1', 'DaemonSet'),
  TYPES.deployment,
  TYPES.replicaSet,
  resourceType('apps', 'v1', 'StatefulSet'),
  TYPES.horizontalPodAutoscaler,
  resourceType('batch', 'v1', 'CronJob'),
  TYPES.job,
  TYPES.lease,
  TYPES.ingress,
  TYPES.networkPolicy,
  TYPES.podDisruptionBudget,
  TYPES.role,
  TYPES.roleBinding,
];

/** Of the cluster. */
const UNSCOPED: readonly ResourceType[] = [
  TYPES.namespace,
  TYPES.persistentVolume,
  TYPES.node,
  TYPES.clusterRoleBinding,
  resourceType(RBAC, 'v1', 'ClusterRole'),
  TYPES.ingressClass,
  TYPES.priorityClass,
  TYPES.storageClass,
  TYPES.customResourceDefinition,
];

const nameOf = ({ group, version, kind }: ResourceType): string =>
  `${group === '' ? '' : `${group}/`}${version}/${kind}`;

const KNOWN: ReadonlyMap<string, OptionalType> = new Map([
  ...NAMESPACED.map((type) => [nameOf(type), type] as const),
  ...UNSCOPED.map((type) => [nameOf(type), { ...type, scope: 'Cluster' as const }] as const),
]);

/** Some of Kubernetes' own types by their names, so that an editor completes them. */
type KnownName =
  | 'v1/ConfigMap'
  | 'v1/Namespace'
  | 'v1/PersistentVolumeClaim'
  | 'v1/Pod'
  | 'v1/Secret'
  | 'v1/Service'
  | 'v1/ServiceAccount'
  | 'apps/v1/DaemonSet'
  | 'apps/v1/Deployment'
  | 'apps/v1/StatefulSet'
  | 'autoscaling/v2/HorizontalPodAutoscaler'
  | 'batch/v1/CronJob'
  | 'batch/v1/Job'
  | 'networking.k8s.io/v1/Ingress'
  | 'networking.k8s.io/v1/NetworkPolicy'
  | 'policy/v1/PodDisruptionBudget'
  | 'rbac.authorization.k8s.io/v1/Role'
  | 'rbac.authorization.k8s.io/v1/RoleBinding';

/** A type: one of Kubernetes' own by `group/version/Kind`, any other with its plural; or a kind that is run as well. */
export type ChildReference = KnownName | (string & {}) | ChildType | { readonly type: OptionalType };

/**
 * The type that a reference means.
 *
 * @throws TypeError where nobody knows it
 */
export function childTypeOf(reference: ChildReference): ChildType {
  if (typeof reference !== 'string') return 'type' in reference ? reference.type : reference;
  const known = KNOWN.get(reference);
  if (known !== undefined) return known;
  const near = [...KNOWN.keys()].find((name) => name.endsWith(`/${reference.slice(reference.lastIndexOf('/') + 1)}`));
  const hint = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
  throw new TypeError(
    `${JSON.stringify(reference)} is none of Kubernetes' own types${hint} Name any other with its plural: { group, version, kind, plural }`,
  );
}

/** The type of Kubernetes' own that an object is of; undefined where it is of another. */
export const knownTypeOf = (object: { readonly apiVersion: string; readonly kind: string }): OptionalType | undefined =>
  KNOWN.get(`${object.apiVersion}/${object.kind}`);
