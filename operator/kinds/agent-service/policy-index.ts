import { selects } from '../../engine/api/index.ts';
import type { Policy } from './policies.ts';

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
