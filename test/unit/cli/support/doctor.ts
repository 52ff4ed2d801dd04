import type { Known, Observed } from '../../../../cli/doctor/types.ts';
import { KINDS } from '../../../../constructs/kinds.ts';
import { crdOf } from '../../../../constructs/schema/crd.ts';
import type { KubeObject } from '../../../../operator/kube/index.ts';
import { live } from './objects.ts';

/** What was seen. */
export const known = <T>(value: T): Known<T> => ({ known: true, value });

/** The CRDs of this release. */
export const crds: readonly KubeObject[] = KINDS.map((kind) => {
  const { metadata, ...crd } = crdOf(kind);
  const status = { conditions: [{ type: 'Established', status: 'True' }] };
  return live('apiextensions.k8s.io/v1', 'CustomResourceDefinition', metadata.name, { ...crd, status });
});

/** A node. */
export const node = (name: string, allocatable: object, labels: Readonly<Record<string, string>> = {}): KubeObject =>
  live('v1', 'Node', name, { metadata: { labels }, status: { allocatable } });

/** A storage class. */
export const storageClass = (name: string, provisioner: string, isDefault = false): KubeObject =>
  live('storage.k8s.io/v1', 'StorageClass', name, {
    provisioner,
    metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': String(isDefault) } },
  });

/** The Lease of an operator that leads. */
export const lease = (renewTime: string): KubeObject =>
  live('coordination.k8s.io/v1', 'Lease', 'trunnion-operator', {
    spec: { holderIdentity: 'operator-a', renewTime, leaseDurationSeconds: 15 },
  });

/** A cluster that has all. */
export const WELL: Observed = {
  now: Date.parse('2026-01-01T00:00:10Z'),
  namespace: 'models',
  operatorNamespace: 'trunnion-system',
  serverVersion: 'v1.36.3',
  served: new Set([
    'trunnion.dev/v1alpha1',
    'metrics.k8s.io/v1beta1',
    'keda.sh/v1alpha1',
    'gateway.networking.k8s.io/v1',
    'cilium.io/v2',
    'kueue.x-k8s.io/v1beta1',
    'scheduling.volcano.sh/v1beta1',
  ]),
  crds: known(crds),
  deployment: known(
    live('apps/v1', 'Deployment', 'trunnion-operator', { spec: { replicas: 2 }, status: { readyReplicas: 2 } }),
  ),
  lease: known(lease('2026-01-01T00:00:09Z')),
  nodes: known([
    node('gpu-0', { 'nvidia.com/gpu': '8' }, { 'nvidia.com/gpu.product': 'NVIDIA-L4' }),
    node('cpu-0', {}),
  ]),
  storageClasses: known([storageClass('fast', 'ebs.csi.aws.com', true), storageClass('shared', 'efs.csi.aws.com')]),
  gatewayClasses: known([live('gateway.networking.k8s.io/v1', 'GatewayClass', 'eg')]),
  ingressClasses: known([live('networking.k8s.io/v1', 'IngressClass', 'nginx')]),
  localQueues: known([live('kueue.x-k8s.io/v1beta1', 'LocalQueue', 'research')]),
  quotas: known([]),
  policies: known([]),
  resources: known([]),
  rights: known([{ words: 'list pods', allowed: true }]),
};
