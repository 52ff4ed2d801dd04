import type { NetworkPolicyEgressRule } from './kube.ts';
import type { Labels } from './labels.ts';

/** What gives a pod an identity in a cloud and leaves no trace on its ServiceAccount, or needs more than an annotation there. */
export const IDENTITIES = ['eks-pod-identity', 'gke-workload-identity', 'azure-workload-identity'] as const;

/** One of {@link IDENTITIES}. */
export type IdentityProvider = (typeof IDENTITIES)[number];

/** The one identity that the host of each scheme of `model.uri` takes. */
export const IDENTITY_OF_SCHEME: Readonly<Partial<Record<string, IdentityProvider>>> = {
  s3: 'eks-pod-identity',
  gs: 'gke-workload-identity',
  az: 'azure-workload-identity',
};

/** What a pod must have for its identity. */
interface Needs {
  /** The server on its node that it asks. */
  readonly egress: readonly NetworkPolicyEgressRule[];
  readonly labels: Labels;
}

const server = (cidr: string, port: number): NetworkPolicyEgressRule => ({
  to: [{ ipBlock: { cidr } }],
  ports: [{ port, protocol: 'TCP' }],
});

const NEEDS: Readonly<Record<IdentityProvider, Needs>> = {
  // The agent listens on these two (aws/eks-pod-identity-agent, configuration/config.go), and gives a pod the credentials of
  // its own ServiceAccount alone: it asks for the token that only that pod has. Those of the node are on another address.
  'eks-pod-identity': { egress: [server('169.254.170.23/32', 80), server('fd00:ec2::23/128', 80)], labels: {} },
  // As https://cloud.google.com/kubernetes-engine/docs/how-to/workload-identity has network policies allow it: the first
  // with GKE Dataplane V2, the second without. Both end at GKE's own server, which hides the node's credentials.
  'gke-workload-identity': {
    egress: [server('169.254.169.254/32', 80), server('169.254.169.252/32', 988)],
    labels: {},
  },
  // The webhook gives its token to pods with this label alone (Azure/azure-workload-identity, pkg/webhook/consts.go). It is
  // traded at Azure's own login, by HTTPS.
  'azure-workload-identity': { egress: [], labels: { 'azure.workload.identity/use': 'true' } },
};

/** What pods may reach for the sake of their identity: nothing where they have none. */
export const identityEgress = (identity: IdentityProvider | undefined): readonly NetworkPolicyEgressRule[] =>
  identity === undefined ? [] : NEEDS[identity].egress;

/** The labels that pods have for the sake of their identity. */
export const identityLabels = (identity: IdentityProvider | undefined): Labels =>
  identity === undefined ? {} : NEEDS[identity].labels;
