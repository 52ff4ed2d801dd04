import { describe, expect, it } from 'vitest';
import { type LabelSelector, selectorQuery, selects } from '../../../operator/engine/api/label-selector.ts';

const one = (key: string, operator: string, ...values: string[]): LabelSelector => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }],
});

interface Case {
  readonly selector: LabelSelector;
  readonly query: string;
  readonly selected: readonly Readonly<Record<string, string>>[];
  readonly others: readonly Readonly<Record<string, string>>[];
}

describe('a label selector', () => {
  it.each<Case>([
    { selector: {}, query: '', selected: [{}, { a: '1' }], others: [] },
    {
      selector: { matchLabels: { a: '1', b: '' } },
      query: 'a=1,b=',
      selected: [{ a: '1', b: '', c: '3' }],
      others: [{}, { a: '1' }, { a: '2', b: '' }],
    },
    { selector: one('a', 'In', '1', '2'), query: 'a in (1,2)', selected: [{ a: '2' }], others: [{}, { a: '3' }] },
    { selector: one('a', 'NotIn', '1'), query: 'a notin (1)', selected: [{}, { a: '2' }], others: [{ a: '1' }] },
    { selector: one('a', 'Exists'), query: 'a', selected: [{ a: '' }], others: [{}, { b: '1' }] },
    { selector: one('a', 'DoesNotExist'), query: '!a', selected: [{}, { b: '1' }], others: [{ a: '1' }] },
    {
      selector: { matchLabels: { b: '2' }, ...one('a', 'Exists') },
      query: 'b=2,a',
      selected: [{ a: '1', b: '2' }],
      others: [{ b: '2' }, { a: '1' }],
    },
    // What a later release may bring selects more rather than less: a policy stays for too long, and not too briefly.
    { selector: one('a', 'Like', 'x*'), query: '', selected: [{}, { a: 'y' }], others: [] },
    {
      selector: { matchLabels: { constructor: 'x' } },
      query: 'constructor=x',
      selected: [{ constructor: 'x' }],
      others: [{}],
    },
  ])('$query', ({ selector, query, selected, others }) => {
    expect(selectorQuery(selector)).toBe(query);
    for (const labels of selected) expect(selects(selector, labels)).toBe(true);
    for (const labels of others) expect(selects(selector, labels)).toBe(false);
  });
});
