import type { AgentServiceSpec } from '../../../constructs/agent-service/spec.ts';
import type { AgentServiceStatus } from '../../../constructs/agent-service/status.ts';
import type { Resource, Snapshot, ObservedChild, ObservedPod } from '../../engine/api/index.ts';
import { serviceNameOf } from '../../../constructs/agent-service/render-input.ts';
import type { Naming } from '../../../constructs/parts/objects/index.ts';
import { namingOf } from '../shared/naming.ts';
import { newestFirst } from '../shared/order.ts';
import { scalerKind } from '../shared/scaling.ts';
import { GATEWAY_API, KEDA, neededByEgress } from '../shared/trouble.ts';
import type { Extension } from '../shared/trouble.ts';

export type AgentServiceResource = Resource<AgentServiceSpec, AgentServiceStatus>;

/** A snapshot, with each thing in its role. What is on its way out plays none, but for a policy that still covers pods. */
export interface Observed {
  readonly snapshot: Snapshot<AgentServiceResource>;
  readonly name: string;
  readonly namespace: string;
  readonly naming?: Naming;
  readonly spec: AgentServiceSpec;
  /** What the last status said. */
  readonly status: AgentServiceStatus;
  readonly deployment?: ObservedChild;
  readonly service?: ObservedChild;
  readonly policy?: ObservedChild;
  /** What opens hosts by name. */
  readonly hostPolicy?: ObservedChild;
  readonly autoscaler?: ObservedChild;
  /** Newest first. */
  readonly pods: readonly ObservedPod[];
  /** What of the spec takes more than Kubernetes. */
  readonly extensions: readonly Extension[];
}

export function observedOf(snapshot: Snapshot<AgentServiceResource>): Observed {
  const { spec, metadata, status = {} } = snapshot.resource;
  const children = newestFirst(snapshot.children);
  const naming = namingOf(snapshot.resource);
  const child = (kind: string, name = metadata.name) =>
    children.find((candidate) => candidate.kind === kind && candidate.name === name);
  const deployment = child('Deployment');
  const service = child('Service', serviceNameOf(metadata.name, naming));
  const inForce = (type: string) =>
    snapshot.children.find(
      ({ kind, name, deleting, staysFor }) =>
        kind === type && name === metadata.name && (!deleting || staysFor !== undefined),
    );
  const policy = inForce('NetworkPolicy');
  const hostPolicy = inForce('CiliumNetworkPolicy');
  const autoscaler = spec.autoscaling && child(scalerKind(spec.autoscaling.queue !== undefined));
  return {
    snapshot,
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    ...(naming && { naming }),
    spec,
    status,
    ...(deployment && { deployment }),
    ...(service && { service }),
    ...(policy && { policy }),
    ...(hostPolicy && { hostPolicy }),
    ...(autoscaler && { autoscaler }),
    pods: newestFirst(snapshot.pods),
    extensions: [
      ...(spec.autoscaling?.queue ? [KEDA] : []),
      ...(spec.expose?.gateway ? [GATEWAY_API] : []),
      ...neededByEgress(spec),
    ],
  };
}
