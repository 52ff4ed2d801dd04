import type { ResourceType } from '../../../operator/kube/client/types.ts';

function type(group: string, version: string, kind: string, plural = `${kind.toLowerCase()}s`): ResourceType {
  return { group, version, kind, plural };
}

/** The built-in types that tests look at. */
export const types = {
  configMap: type('', 'v1', 'ConfigMap'),
  customResourceDefinition: type('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition'),
  deployment: type('apps', 'v1', 'Deployment'),
  event: type('', 'v1', 'Event'),
  horizontalPodAutoscaler: type('autoscaling', 'v2', 'HorizontalPodAutoscaler'),
  ingress: type('networking.k8s.io', 'v1', 'Ingress', 'ingresses'),
  job: type('batch', 'v1', 'Job'),
  lease: type('coordination.k8s.io', 'v1', 'Lease'),
  namespace: type('', 'v1', 'Namespace'),
  networkPolicy: type('networking.k8s.io', 'v1', 'NetworkPolicy', 'networkpolicies'),
  node: type('', 'v1', 'Node'),
  persistentVolume: type('', 'v1', 'PersistentVolume'),
  persistentVolumeClaim: type('', 'v1', 'PersistentVolumeClaim'),
  pod: type('', 'v1', 'Pod'),
  podDisruptionBudget: type('policy', 'v1', 'PodDisruptionBudget'),
  resourceQuota: type('', 'v1', 'ResourceQuota'),
  secret: type('', 'v1', 'Secret'),
  service: type('', 'v1', 'Service'),
  serviceAccount: type('', 'v1', 'ServiceAccount'),
} as const;
