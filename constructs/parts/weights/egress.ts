import { IDENTITY_OF_SCHEME, identityEgress, expandedVariables } from '../objects/index.ts';
import type { IdentityProvider, EnvVar, NetworkPolicyEgressRule } from '../objects/index.ts';
import { withoutMetadata } from '../network/index.ts';
import type { WeightsSpec } from './input.ts';
import { parseProxy, PROXY_VARIABLES } from './proxy.ts';
import { parseModelUri } from './uri.ts';
import type { ModelUri } from './uri.ts';

/** Variables whose value is the URL of a server that the fetch goes to. */
const SERVER_VARIABLES = new Set([
  'HF_ENDPOINT',
  'AWS_ENDPOINT_URL',
  'AWS_ENDPOINT_URL_S3',
  'AWS_ENDPOINT_URL_STS',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'STORAGE_EMULATOR_HOST',
  'AZURE_STORAGE_ENDPOINT',
  'AZURE_AUTHORITY_HOST',
]);

const PROXIES: ReadonlySet<string> = new Set(PROXY_VARIABLES);

/** All addresses but those of a cloud's metadata service. */
const ANYWHERE = ['0.0.0.0/0', '::/0'].map((cidr) => ({ ipBlock: withoutMetadata(cidr) }));

/** An `ipBlock` need not match pods (Cilium), so pods are named as well. */
const ANY_POD = { namespaceSelector: {} };

/**
 * What a fetch must reach beside DNS: the host of the model. A NetworkPolicy has no host names, so that is HTTPS to
 * anywhere, the ports of servers that `env` names in plain text (a mirror, a proxy), and what hands out the pod's identity.
 * A server that only the Secret names needs `egress`, unless it is on 443. Empty where nothing is fetched.
 *
 * @param env - the variables of anyone who fetches
 */
export function fetchEgress(
  spec: WeightsSpec,
  env: readonly EnvVar[] = spec.env ?? [],
): readonly NetworkPolicyEgressRule[] {
  const uri = parseModelUri(spec.model.uri);
  if (uri.scheme === 'oci' || uri.scheme === 'pvc') return [];
  const named = portsNamed(expandedVariables(env));
  return [
    { to: ANYWHERE, ports: portRules([portOf(uri), 443]) },
    ...(named.length > 0 ? [{ to: [...ANYWHERE, ANY_POD], ports: portRules(named) }] : []),
    ...identityEgress(fetchIdentity(spec)),
  ];
}

/** Annotations of a ServiceAccount that tell of an identity as well. */
const IDENTITY_ANNOTATIONS: Readonly<Partial<Record<IdentityProvider, string>>> = {
  'gke-workload-identity': 'iam.gke.io/gcp-service-account',
  'azure-workload-identity': 'azure.workload.identity/client-id',
};

/** The identity by which weights are fetched: what the spec names, or tells by an annotation; undefined where there is none. */
export function fetchIdentity({ model, serviceAccount }: WeightsSpec): IdentityProvider | undefined {
  const identity = IDENTITY_OF_SCHEME[parseModelUri(model.uri).scheme];
  if (identity === undefined || serviceAccount?.identity === identity) return identity;
  const annotation = IDENTITY_ANNOTATIONS[identity];
  return annotation !== undefined && serviceAccount?.annotations?.[annotation] !== undefined ? identity : undefined;
}

const portOf = (uri: ModelUri): number => (uri.scheme === 'https' ? urlPort(uri.url) : undefined) ?? 443;

const portsNamed = (env: readonly EnvVar[]): number[] =>
  env.flatMap(({ name, value = '' }) => {
    if (PROXIES.has(name)) return parseProxy(value)?.port ?? [];
    return SERVER_VARIABLES.has(name) ? (urlPort(value) ?? []) : [];
  });

function urlPort(text: string): number | undefined {
  const match = /^(https?):\/\/(?:[^/@]*@)?(?:\[[^\]]*\]|[^/:]*)(?::(\d+))?(?:\/|$)/.exec(text);
  if (!match) return undefined;
  return Number(match[2] ?? (match[1] === 'https' ? 443 : 80));
}

const portRules = (ports: readonly number[]): { port: number; protocol: string }[] =>
  [...new Set(ports)].toSorted((a, b) => a - b).map((port) => ({ port, protocol: 'TCP' }));
