import { clusterAddress, declaredEgress, distinctRules, ofNamespace } from '../parts/network/index.ts';
import { identityEgress } from '../parts/objects/index.ts';
import type { NetworkPolicyEgressRule } from '../parts/objects/index.ts';
import type { RenderInput } from './render-input.ts';
import type { AgentServiceSpec } from './spec.ts';

/** The ports of the protocols whose URLs need not name one, on which pods do listen. */
const QUEUE_PORTS: Readonly<Record<string, number>> = { amqp: 5672, amqps: 5671 };

/** What the pods may reach beside DNS. */
export function egressOf({ namespace, spec, model }: RenderInput): readonly NetworkPolicyEgressRule[] {
  return distinctRules([
    ...(model ? [{ to: [{ podSelector: { matchLabels: model.selector } }], ports: [tcp(model.port)] }] : []),
    ...(spec.mcpServers ?? []).flatMap(({ url, targetPort }) => toService(url, namespace, targetPort)),
    ...queueEgress(spec, namespace),
    ...identityEgress(spec.serviceAccount?.identity),
    ...declaredEgress(spec.egress ?? []),
  ]);
}

/** An agent takes its tasks from the queue that it is scaled by; that one is in Prometheus is only told there. */
function queueEgress({ autoscaling }: AgentServiceSpec, namespace: string): readonly NetworkPolicyEgressRule[] {
  const { address, host } = autoscaling?.queue ?? {};
  if (address !== undefined) return toService(address, namespace);
  if (host === undefined) return [];
  return toService(host, namespace, undefined, QUEUE_PORTS[host.slice(0, host.indexOf(':'))]);
}

/**
 * To the pods behind a Service of the cluster. Which pods these are, only the Service knows: so to all of its namespace.
 *
 * A NetworkPolicy sees the port of a pod, not that of its Service. They are the same in most cases where the URL names
 * one; where it names none, 80 and 443 are those of the Service alone.
 */
function toService(
  address: string,
  own: string,
  targetPort?: number,
  otherwise?: number,
): readonly NetworkPolicyEgressRule[] {
  const service = clusterAddress(address, own);
  if (!service) return [];
  const port = targetPort ?? service.port ?? otherwise;
  const namespaceSelector = ofNamespace(service.namespace);
  return [{ to: [{ namespaceSelector }], ...(port !== undefined && { ports: [tcp(port)] }) }];
}

const tcp = (port: number) => ({ protocol: 'TCP', port });
