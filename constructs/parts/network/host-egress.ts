import type { Manifest } from '../../workload.ts';
import type { EgressRule } from './isolation.ts';
import type { Labels } from '../objects/index.ts';

/** Where pods ask DNS: the label selectors of a policy, with the namespace as Cilium writes it. */
const NAMESPACE = 'k8s:io.kubernetes.pod.namespace';
const DNS_SERVERS: readonly Labels[] = [
  // CoreDNS, by the label that it has kept from kube-dns.
  { [NAMESPACE]: 'kube-system', 'k8s:k8s-app': 'kube-dns' },
  // NodeLocal DNSCache, where Cilium redirects to it.
  { [NAMESPACE]: 'kube-system', 'k8s:k8s-app': 'node-local-dns' },
  { [NAMESPACE]: 'openshift-dns' },
];

/** Those of pods: 53 nearly everywhere, 5353 on OpenShift. */
const DNS_PORTS = ['53', '5353'];

/**
 * What a spec declares by host names, as a CiliumNetworkPolicy (cilium.io/v2) beside the NetworkPolicy of the same pods:
 * what either allows is allowed. Undefined where no entry of `egress` has host names.
 *
 * Cilium learns the addresses of a name from answers that its DNS proxy sees, so the policy sends DNS through it, with no
 * name refused. That the NetworkPolicy lets DNS pass without a proxy does not take it away: of two entries that allow, the
 * one with a proxy has precedence (cilium 1.20.2, bpf/lib/policy.h, `__policy_can_access`), and before 1.18 the one that
 * names who is asked. So these rules name the DNS servers.
 *
 * @param metadata - of an object that bears the workload's own name
 * @param selector - all pods of the workload
 */
export function hostEgress(
  metadata: Manifest['metadata'],
  selector: Labels,
  egress: readonly EgressRule[] = [],
): Manifest | undefined {
  const rules = egress.flatMap(({ hosts, ports }) =>
    hosts === undefined ? [] : [{ toFQDNs: hosts.map(named), ...(ports && { toPorts: [{ ports: ports.map(tcp) }] }) }],
  );
  if (rules.length === 0) return undefined;
  return {
    apiVersion: 'cilium.io/v2',
    kind: 'CiliumNetworkPolicy',
    metadata,
    spec: { endpointSelector: { matchLabels: selector }, egress: [DNS, ...rules] },
  };
}

const DNS = {
  toEndpoints: DNS_SERVERS.map((matchLabels) => ({ matchLabels })),
  toPorts: [
    {
      ports: DNS_PORTS.flatMap((port) => ['UDP', 'TCP'].map((protocol) => ({ port, protocol }))),
      rules: { dns: [{ matchPattern: '*' }] },
    },
  ],
};

const named = (host: string) => (host.includes('*') ? { matchPattern: host } : { matchName: host });

const tcp = (port: number) => ({ port: String(port), protocol: 'TCP' });
