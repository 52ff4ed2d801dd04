import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LabelSelector, selects } from '../../../../operator/engine/api/label-selector.ts';
import type { Policy } from '../../../../operator/kinds/agent-service/policies.ts';
import { PolicyIndex } from '../../../../operator/kinds/agent-service/egress.ts';

const key = fc.constantFrom('app', 'instance', 'tier');
const value = fc.constantFrom('a', 'b', 'c');
const labels = fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true });
const expression = fc.record({
  key,
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'),
  values: fc.array(value, { maxLength: 2 }),
});
const selector: fc.Arbitrary<LabelSelector> = fc.record(
  { matchLabels: labels, matchExpressions: fc.array(expression, { maxLength: 2 }) },
  { requiredKeys: [] },
);

const policy = (podSelector: LabelSelector, name: number): Policy => ({
  name: `policy-${name}`,
  podSelector,
  policyTypes: ['Egress'],
  egress: [],
});

describe('an index of policies', () => {
  it('finds those that select the pods, and no others', () => {
    fc.assert(
      fc.property(fc.array(selector), labels, (selectors, of) => {
        const policies = selectors.map(policy);
        const found = new PolicyIndex(policies).selecting(of);
        expect(found.toSorted((a, b) => policies.indexOf(a) - policies.indexOf(b))).toEqual(
          policies.filter(({ podSelector }) => selects(podSelector, of)),
        );
      }),
    );
  });

  it("looks at no policy of a thousand other agents, though a label is on all agents' pods", () => {
    let observations = 0;
    const ofAgent = (name: number): Policy => ({
      ...policy({}, name),
      get podSelector() {
        observations += 1;
        return { matchLabels: { app: 'agent', instance: `${name}` } };
      },
    });
    const index = new PolicyIndex(Array.from({ length: 1_000 }, (_, name) => ofAgent(name)));
    observations = 0;
    expect(index.selecting({ app: 'agent', instance: '7' }).map(({ name }) => name)).toEqual(['policy-7']);
    expect(observations).toBeLessThanOrEqual(2);
  });
});
