import type { ResourceType } from './types.ts';

/**
 * A type of resource.
 *
 * @param plural - as in paths; left out where it is the kind with an s
 */
export const resourceType = (
  group: string,
  version: string,
  kind: string,
  plural = `${kind.toLowerCase()}s`,
): ResourceType => ({ group, version, kind, plural });

/** The types of Kubernetes, and of what extends it, by their kinds. */
export const TYPES = {
  configMap: resourceType('', 'v1', 'ConfigMap'),
  /** Has those that were written to events.k8s.io as well, with the texts under the names of this group. */
  coreEvent: resourceType('', 'v1', 'Event'),
  limitRange: resourceType('', 'v1', 'LimitRange'),
  namespace: resourceType('', 'v1', 'Namespace'),
  node: resourceType('', 'v1', 'Node'),
  persistentVolume: resourceType('', 'v1', 'PersistentVolume'),
  persistentVolumeClaim: resourceType('', 'v1', 'PersistentVolumeClaim'),
  pod: resourceType('', 'v1', 'Pod'),
  resourceQuota: resourceType('', 'v1', 'ResourceQuota'),
  secret: resourceType('', 'v1', 'Secret'),
  service: resourceType('', 'v1', 'Service'),
  serviceAccount: resourceType('', 'v1', 'ServiceAccount'),

  clusterRoleBinding: resourceType('rbac.authorization.k8s.io', 'v1', 'ClusterRoleBinding'),
  customResourceDefinition: resourceType('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition'),
  deployment: resourceType('apps', 'v1', 'Deployment'),
  endpointSlice: resourceType('discovery.k8s.io', 'v1', 'EndpointSlice'),
  event: resourceType('events.k8s.io', 'v1', 'Event'),
  horizontalPodAutoscaler: resourceType('autoscaling', 'v2', 'HorizontalPodAutoscaler'),
  ingress: resourceType('networking.k8s.io', 'v1', 'Ingress', 'ingresses'),
  ingressClass: resourceType('networking.k8s.io', 'v1', 'IngressClass', 'ingressclasses'),
  job: resourceType('batch', 'v1', 'Job'),
  lease: resourceType('coordination.k8s.io', 'v1', 'Lease'),
  mutatingAdmissionPolicy: resourceType(
    'admissionregistration.k8s.io',
    'v1',
    'MutatingAdmissionPolicy',
    'mutatingadmissionpolicies',
  ),
  mutatingAdmissionPolicyBinding: resourceType('admissionregistration.k8s.io', 'v1', 'MutatingAdmissionPolicyBinding'),
  networkPolicy: resourceType('networking.k8s.io', 'v1', 'NetworkPolicy', 'networkpolicies'),
  podDisruptionBudget: resourceType('policy', 'v1', 'PodDisruptionBudget'),
  priorityClass: resourceType('scheduling.k8s.io', 'v1', 'PriorityClass', 'priorityclasses'),
  replicaSet: resourceType('apps', 'v1', 'ReplicaSet'),
  statefulSet: resourceType('apps', 'v1', 'StatefulSet'),
  role: resourceType('rbac.authorization.k8s.io', 'v1', 'Role'),
  roleBinding: resourceType('rbac.authorization.k8s.io', 'v1', 'RoleBinding'),
  storageClass: resourceType('storage.k8s.io', 'v1', 'StorageClass', 'storageclasses'),

  /** Opens hosts by name; a cluster whose network plugin is not Cilium has none. */
  ciliumNetworkPolicy: resourceType('cilium.io', 'v2', 'CiliumNetworkPolicy', 'ciliumnetworkpolicies'),
  gatewayClass: resourceType('gateway.networking.k8s.io', 'v1', 'GatewayClass', 'gatewayclasses'),
  httpRoute: resourceType('gateway.networking.k8s.io', 'v1', 'HTTPRoute'),
  /** Keeps the pods of a replica together, where it has several. */
  leaderWorkerSet: resourceType('leaderworkerset.x-k8s.io', 'v1', 'LeaderWorkerSet'),
  localQueue: resourceType('kueue.x-k8s.io', 'v1beta1', 'LocalQueue'),
  podGroup: resourceType('scheduling.volcano.sh', 'v1beta1', 'PodGroup'),
  scaledObject: resourceType('keda.sh', 'v1alpha1', 'ScaledObject'),
  triggerAuthentication: resourceType('keda.sh', 'v1alpha1', 'TriggerAuthentication'),
} as const satisfies Readonly<Record<string, ResourceType>>;
