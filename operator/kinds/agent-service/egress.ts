import { agentLabels } from '../../../constructs/agent-service/render-input.ts';
import { agentNetworkPolicy } from '../../../constructs/agent-service/manifests.ts';
import type { NetworkPolicyEgressRule } from '../../../constructs/parts/objects/index.ts';
import { conditionOf, selects, type BareCondition, type Query, type Answer } from '../../engine/api/index.ts';
import { TYPES } from '../../kube/index.ts';
import { falseCondition, trueCondition } from '../shared/conditions.ts';
import type { Why } from '../shared/conditions.ts';
import type { Context, Model, Part } from './context.ts';
import { carriedOver } from '../shared/carried-over.ts';
import { extensionQueries, missingExtensions, neededByEgress } from '../shared/trouble.ts';
import { servedModel } from './model.ts';
import { MOST_COMPARISONS, wideningOf, type Policy } from './policies.ts';
import type { Observed } from './observed.ts';

/** How often the policies of others are looked at. */
const RECHECK_SECONDS = 60;
const QUERY_ID = 'policies';

/** Asks for all policies of the namespace: any of them may select the pods. */
const POLICIES: Query = {
  id: QUERY_ID,
  type: 'objects',
  resource: TYPES.networkPolicy,
  paths: ['spec.podSelector', 'spec.policyTypes', 'spec.egress'],
  everySeconds: RECHECK_SECONDS,
};

const NOT_OBSERVED_YET = {
  type: 'EgressEnforced',
  status: 'Unknown',
  reason: 'NotLookedYet',
  message: "The namespace's policies have not been looked at yet.",
} as const;

/** The pods reach what is declared, and nothing else. */
export const enforceEgress = ({ observed, model }: Context): Part => ({
  conditions: [egressEnforcedOf(observed, model)],
  queries: [POLICIES],
});

/**
 * EgressEnforced: whether the pods can reach no more than is declared, by all NetworkPolicies that select them together, and the hosts that
 * are. Whether the cluster's network plugin holds policies at all, nobody tells.
 */
function egressEnforcedOf(observed: Observed, model: Model): BareCondition {
  const own = observed.snapshot.failures.find(({ child }) => child === 'network-policy');
  if (!observed.policy || own?.reason === 'NameTaken') {
    const because = own ? `: ${own.message}` : ' yet.';
    const message = `The NetworkPolicy of the pods is not there${because}`;
    return falseCondition('EgressEnforced', { reason: 'PolicyMissing', message });
  }
  const answer = observed.snapshot.answers[QUERY_ID];
  // An operator that starts again has not looked yet, and must not take back what was found out before.
  if (answer?.type !== 'objects') return conditionOf(observed.status.conditions, 'EgressEnforced') ?? NOT_OBSERVED_YET;
  const declared = declaredBy(observed, model);
  const policies = policiesIn(answer);
  const selecting = new Set(labelsOf(observed).flatMap((labels) => policies.selecting(labels)));
  const comparisons = { left: MOST_COMPARISONS };
  const wider = [...selecting]
    .filter(({ name }) => name !== observed.name)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((policy) => {
      const way = wideningOf(policy, declared, comparisons);
      return way === undefined ? [] : [`NetworkPolicy ${policy.name} opens ${way}`];
    });
  const shut = closedHosts(observed);
  const found = [...(wider.length > 0 ? [widened(wider)] : []), ...(shut ? [shut] : [])];
  const [first] = found;
  if (first) {
    const message = found.map((each) => each.message).join(' ');
    return falseCondition('EgressEnforced', { reason: first.reason, message });
  }
  const hosts = observed.hostPolicy ? ', and a CiliumNetworkPolicy opens the hosts' : '';
  const message = `No NetworkPolicy lets the pods reach more than is declared${hosts}.`;
  return trueCondition('EgressEnforced', { reason: 'Enforced', message });
}

const widened = (wider: readonly string[]): Why => ({
  reason: 'Widened',
  message: `The pods may reach more than is declared, since policies add up: ${inWords(wider)}. Narrow or delete what opens it, or declare it in spec.egress.`,
});

/** Why the pods can't reach the hosts that are declared; undefined where they can, or none are. */
function closedHosts({ snapshot, spec, hostPolicy }: Observed): Why | undefined {
  const needed = neededByEgress(spec);
  if (needed.length === 0) return undefined;
  const [missing = carriedOver(snapshot, 'EgressEnforced', extensionQueries(needed))] = missingExtensions(
    snapshot,
    needed,
  );
  if (missing) return missing;
  const failure = snapshot.failures.find(({ child }) => child === 'host-egress');
  // What others have made by the name opens what they like.
  if (hostPolicy && failure?.reason !== 'NameTaken') return undefined;
  const because = failure ? `: ${failure.message}` : ' yet.';
  return {
    reason: 'PolicyMissing',
    message: `The CiliumNetworkPolicy of the hosts of spec.egress is not there${because}`,
  };
}

/** So many of them are told: a condition has room for no more. */
const MOST_REPORTED = 16;

const inWords = (wider: readonly string[]): string => {
  const more = wider.length > MOST_REPORTED ? `; and ${wider.length - MOST_REPORTED} more` : '';
  return wider.slice(0, MOST_REPORTED).join('; ') + more;
};

/** What our own policy allows: by the construct, whatever is live just now. */
function declaredBy({ name, namespace, spec }: Observed, { binding }: Model): readonly NetworkPolicyEgressRule[] {
  const model = binding && servedModel(binding);
  const { spec: policy } = agentNetworkPolicy({ name, namespace, spec, model, referencesHash: undefined });
  return (policy as { readonly egress: readonly NetworkPolicyEgressRule[] }).egress;
}

/** The labels that pods have, and that new ones will have; those of pods of one template once. */
function labelsOf({ name, naming, spec, pods }: Observed): readonly Readonly<Record<string, string>>[] {
  const all = [
    { ...spec.podTemplate?.metadata?.labels, ...agentLabels({ name, naming }) },
    ...pods.map(({ labels }) => labels),
  ];
  return [...new Map(all.map((labels) => [JSON.stringify(labels), labels])).values()];
}

/** What is read from a list of objects: it is one list for all agents of a namespace, which look at it in each pass. */
const policiesRead = new WeakMap<object, PolicyIndex>();

function policiesIn({ objects }: Extract<Answer, { type: 'objects' }>): PolicyIndex {
  const known = policiesRead.get(objects);
  if (known !== undefined) return known;
  const policies = objects.map(({ name, slice }): Policy => {
    const spec = (slice['spec'] ?? {}) as Partial<Omit<Policy, 'name'>>;
    return {
      name,
      podSelector: spec.podSelector ?? {},
      policyTypes: spec.policyTypes ?? [],
      egress: spec.egress ?? [],
    };
  });
  const index = new PolicyIndex(policies);
  policiesRead.set(objects, index);
  return index;
}

/**
 * NetworkPolicies by the labels of the pods that they select. A namespace may have one for each of a thousand agents, all of
 * which ask in each pass which of them select their pods: so none of them looks at all.
 */
export class PolicyIndex {
  /** By the rarest of the labels that a policy asks for, since others are on the pods of all agents; undefined: it asks for none. */
  readonly #byRarest: ReadonlyMap<string | undefined, readonly Policy[]>;

  constructor(policies: readonly Policy[]) {
    const asked = ({ podSelector }: Policy) => labelsIn(podSelector.matchLabels);
    const uses = Map.groupBy(policies.flatMap(asked), (label) => label);
    const usesOf = (label: string) => uses.get(label)?.length ?? 0;
    this.#byRarest = Map.groupBy(policies, (policy) => asked(policy).toSorted((a, b) => usesOf(a) - usesOf(b))[0]);
  }

  /** Those that select pods with these labels, in no order that means anything. */
  selecting(labels: Readonly<Record<string, string>>): readonly Policy[] {
    const candidates = [...labelsIn(labels), undefined].flatMap((label) => this.#byRarest.get(label) ?? []);
    return candidates.filter(({ podSelector }) => selects(podSelector, labels));
  }
}

/** Neither a key nor a value has an equals sign. */
const labelsIn = (labels: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.entries(labels).map(([key, value]) => `${key}=${value}`);
