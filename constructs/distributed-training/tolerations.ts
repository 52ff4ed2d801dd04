import { acceleratorTolerations } from '../parts/pod/index.ts';
import type { Toleration } from '../parts/objects/index.ts';
import type { Role } from './roles.ts';
import type { DistributedTrainingSpec } from './spec.ts';

/**
 * Seconds that a pod stays on a node which does not answer. Kubernetes' own default is five minutes, in which all other
 * ranks would wait for the lost one; in less than a minute many nodes come back.
 */
const LOST_NODE_SECONDS = 60;

const LOST_NODE: readonly Toleration[] = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map(
  (key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: LOST_NODE_SECONDS }),
);

/** The taints of spot nodes: those that Google's and Azure's clouds set, and those by custom on Amazon's. */
const SPOT: readonly Toleration[] = [
  'cloud.google.com/gke-spot',
  'kubernetes.azure.com/scalesetpriority',
  'eks.amazonaws.com/capacityType',
  'karpenter.sh/capacity-type',
].map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' }));

/** The taints that the pods of a role tolerate. */
export const tolerationsOf = (spec: DistributedTrainingSpec, { computes }: Role): readonly Toleration[] => [
  ...(computes ? acceleratorTolerations(spec.resources) : []),
  ...LOST_NODE,
  ...(spec.spot ? SPOT : []),
  ...(spec.tolerations ?? []),
];
