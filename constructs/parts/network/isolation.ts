import type { Manifest } from '../../workload.ts';
import type { NetworkPolicyEgressRule, NetworkPolicyPeer, Labels } from '../objects/index.ts';
import { withoutMetadata } from './metadata-services.ts';

/** `spec.egress`: what the user declared. */
export interface EgressRule {
  /** Addresses; it is this, pods or hosts. */
  readonly cidr?: string;
  /** The namespace of pods; with labels alone it is that of the workload. */
  readonly namespace?: string;
  readonly podLabels?: Labels;
  /** Names of hosts outside of the cluster: see host-egress.ts. */
  readonly hosts?: readonly string[];
  readonly ports?: readonly number[];
}

/** Who may reach the pods and what they may reach. */
export interface Isolation {
  /**
   * Names of TCP ports that anybody may reach; none closes the pods. By name, since while a Deployment rolls its pods
   * may listen on different numbers.
   */
  readonly ingressPorts: readonly string[];
  /**
   * Selects pods of the same namespace with which these may talk on all ports, either way.
   *
   * @default - none
   */
  readonly peers?: Labels;
  /** What the pods may reach beside DNS. */
  readonly egress: readonly NetworkPolicyEgressRule[];
}

/** DNS listens on 53 nearly everywhere; a NetworkPolicy sees the port of the pod, which OpenShift has at 5353. */
const DNS: NetworkPolicyEgressRule = {
  ports: [53, 5353].flatMap((port) => ['UDP', 'TCP'].map((protocol) => ({ protocol, port }))),
};

/**
 * What the user declared, as rules of a NetworkPolicy: a cloud's metadata service only where it is named. Host names it
 * can't say.
 */
export const declaredEgress = (rules: readonly EgressRule[]): readonly NetworkPolicyEgressRule[] =>
  rules
    .filter(({ hosts }) => hosts === undefined)
    .map(({ ports, ...rule }) => ({ to: [peerOf(rule)], ...(ports && { ports: tcp(ports) }) }));

const peerOf = ({ cidr, namespace, podLabels }: EgressRule): NetworkPolicyPeer =>
  cidr === undefined
    ? {
        ...(namespace !== undefined && { namespaceSelector: ofNamespace(namespace) }),
        ...(podLabels && { podSelector: { matchLabels: podLabels } }),
      }
    : { ipBlock: withoutMetadata(cidr) };

/** Every namespace has this label, with its name. */
export const ofNamespace = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });

/** A NetworkPolicy that closes the selected pods but for what is named. */
export const networkPolicy = (
  metadata: Manifest['metadata'],
  selector: Labels,
  { ingressPorts, peers, egress }: Isolation,
): Manifest => {
  const among = peers && [{ podSelector: { matchLabels: peers } }];
  const ingress = [
    ...(ingressPorts.length > 0 ? [{ ports: tcp(ingressPorts) }] : []),
    ...(among ? [{ from: among }] : []),
  ];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata,
    spec: {
      podSelector: { matchLabels: selector },
      policyTypes: ['Ingress', 'Egress'],
      ...(ingress.length > 0 && { ingress }),
      egress: [DNS, ...(among ? [{ to: among }] : []), ...egress],
    },
  };
};

/**
 * Annotation of a NetworkPolicy that only adds to what pods may reach, beside another one that closes them, and says for
 * what. It protects nothing: it goes as soon as it is no longer wanted, and not after the pods.
 */
export const ADDS_EGRESS = 'trunnion.dev/adds-egress';

/**
 * A NetworkPolicy that adds to what the selected pods may reach; with no rule it adds nothing.
 *
 * @param reason - what the pods need it for, in one word
 */
export const additionalEgress = (
  { annotations, ...metadata }: Manifest['metadata'],
  selector: Labels,
  reason: string,
  egress: readonly NetworkPolicyEgressRule[],
): Manifest => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { ...metadata, annotations: { ...annotations, [ADDS_EGRESS]: reason } },
  spec: {
    podSelector: { matchLabels: selector },
    policyTypes: ['Egress'],
    // Left out, since the API server doesn't keep an empty list.
    ...(egress.length > 0 && { egress }),
  },
});

/** Rules, each once. */
export const distinctRules = (rules: readonly NetworkPolicyEgressRule[]): readonly NetworkPolicyEgressRule[] => [
  ...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values(),
];

const tcp = (ports: readonly (number | string)[]) => ports.map((port) => ({ protocol: 'TCP', port }));
