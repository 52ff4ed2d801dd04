import { clusterAddress, isLoopback } from '../parts/network/index.ts';
import { commonWarnings } from '../parts/warnings.ts';
import type { AgentServiceSpec } from './spec.ts';

/** What its user should know of a valid spec before it runs; the same sentences in all hosts. */
export function warningsOf(namespace: string, spec: AgentServiceSpec): readonly string[] {
  const { autoscaling, egress = [], mcpServers = [], model } = spec;
  const isOutside = ({ url }: { readonly url: string }) => !isLoopback(url) && !clusterAddress(url, namespace);
  const outside = [
    ...(model === undefined ? [] : [`the API of ${model}`]),
    ...mcpServers.filter(isOutside).map(({ name }) => `the MCP server ${name}`),
  ];
  const warnings: readonly (string | false)[] = [
    outside.length > 0 &&
      egress.length === 0 &&
      `spec.egress: nothing is declared, so the pods can't reach ${outside.join(', ')}; a NetworkPolicy has no host names: declare addresses, for instance {cidr: 0.0.0.0/0, ports: [443]}, and {cidr: "::/0", ports: [443]} where pods have addresses of IPv6, or hosts where the network plugin is Cilium`,
    ...mcpServers.map(({ name, url, targetPort }, index) => {
      const service = clusterAddress(url, namespace);
      return (
        service !== undefined &&
        service.port === undefined &&
        targetPort === undefined &&
        `spec.mcpServers[${index}].targetPort: the URL of ${name} names no port, so the pods may reach any port in the namespace ${service.namespace}; give the port that its pods listen on`
      );
    }),
    autoscaling?.queue !== undefined &&
      'spec.autoscaling.queue: a queue is asked by KEDA, which must be installed, and which must be able to reach it',
    ...commonWarnings(spec),
  ];
  return warnings.filter((warning) => warning !== false);
}
