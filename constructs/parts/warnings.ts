import { annotationWarnings } from './annotations/index.ts';
import type { Exposure, EgressRule } from './network/index.ts';
import { acceleratorOf } from './pod/index.ts';
import type { BaseResources, Resources, Security } from './pod/index.ts';

/** What its user should know of a workload of any kind before it runs. Each sentence names the field to change. */
export const commonWarnings = (spec: {
  readonly security: Security;
  readonly resources: BaseResources | Resources;
  readonly expose?: Exposure;
  readonly egress?: readonly EgressRule[];
}): readonly (string | false)[] => [
  spec.security.level === 'baseline' &&
    'spec.security.level: baseline lets the image run as root; namespaces that enforce the restricted Pod Security Standard refuse its pods',
  spec.security.level === 'rdma' &&
    'spec.security.level: rdma adds the capability IPC_LOCK, which only a namespace that enforces the privileged Pod Security Standard takes, and which only root has',
  mayMissAmdDevices(spec) &&
    'spec.security.supplementalGroups: /dev/kfd and /dev/dri belong to a group whose number differs from node to node: give the one that `stat -c %g /dev/kfd` prints on the nodes, or a user other than root sees no GPU',
  spec.expose?.gateway !== undefined &&
    'spec.expose.gateway: the Gateway API must be installed, and a Gateway of another namespace must allow routes from this one',
  spec.egress?.some(({ hosts }) => hosts !== undefined) === true &&
    'spec.egress: hosts are opened by Cilium alone, which must be the network plugin of the cluster, with its DNS proxy; elsewhere declare addresses by cidr',
  ...annotationWarnings(spec),
];

/** Whether AMD's devices are asked for by a user who may not open them. */
function mayMissAmdDevices({
  resources,
  security: { level, runAsUser, supplementalGroups = [] },
}: Pick<Parameters<typeof commonWarnings>[0], 'resources' | 'security'>): boolean {
  const asks = 'gpu' in resources && acceleratorOf(resources) === 'amd';
  const isOrdinary = level === 'restricted' || (runAsUser ?? 0) !== 0;
  return asks && isOrdinary && supplementalGroups.length === 0;
}
