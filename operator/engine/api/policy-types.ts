import { TYPES } from '../../kube/index.ts';
import type { KubeObject, ResourceType } from '../../kube/index.ts';
import { groupKind } from './identity.ts';
import type { LabelSelector } from './label-selector.ts';

/** The types of policies that are rendered for pods. */
export const POLICY_TYPES: readonly ResourceType[] = [TYPES.networkPolicy, TYPES.ciliumNetworkPolicy];

type Typed = Pick<KubeObject, 'apiVersion' | 'kind'>;

const is = (object: Typed, { group, kind }: ResourceType): boolean => groupKind(object) === `${group}/${kind}`;

/** Whether it says what pods may reach. */
export const isPolicy = (object: Typed): boolean => POLICY_TYPES.some((type) => is(object, type));

/** Whether it opens hosts by name, beside a NetworkPolicy that closes the same pods. */
export const isHostPolicy = (object: Typed): boolean => is(object, TYPES.ciliumNetworkPolicy);

/**
 * The pods that a live policy covers. Where that can't be told as a selector of Kubernetes, they are all pods of its
 * namespace.
 */
export function podsCoveredBy(policy: KubeObject): LabelSelector {
  const { podSelector, endpointSelector } = (policy['spec'] ?? {}) as Partial<Record<string, LabelSelector>>;
  // A NetworkPolicy without a selector selects all pods.
  return isHostPolicy(policy) ? asPodSelector(endpointSelector ?? {}) : (podSelector ?? {});
}

/** A label as Kubernetes has it. */
const KEY = /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const VALUE = /^[A-Za-z0-9._-]{0,63}$/;

/**
 * Cilium's labels have a source (`k8s:`, `any:`), and some are none of the pod's own: the CRD takes any text. What the API
 * server would refuse as a selector of pods would keep the policy forever.
 */
function asPodSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): LabelSelector {
  const labels = Object.entries(matchLabels).map(
    ([key, value]) => [key.replace(/^(?:k8s|any)[:.]/, ''), value] as const,
  );
  const isPlain = labels.every(
    ([key, value]) => KEY.test(key) && VALUE.test(value) && !key.startsWith('io.kubernetes.'),
  );
  return isPlain && matchExpressions.length === 0 ? { matchLabels: Object.fromEntries(labels) } : {};
}
