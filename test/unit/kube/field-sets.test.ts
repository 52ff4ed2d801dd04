import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { difference, fieldAt, has, placesOf, union, within } from '../../../operator/kube/apply/field-sets.ts';
import type { FieldSet } from '../../../operator/kube/apply/owned-fields.ts';

const port = (number: number) => `k:{"containerPort":${number},"protocol":"TCP"}`;

const labels = (...names: readonly string[]): FieldSet => ({
  'f:labels': Object.fromEntries(names.map((name) => [`f:${name}`, {}])),
});

const sets: fc.Arbitrary<FieldSet> = fc.letrec<{ set: FieldSet }>((tie) => ({
  set: fc.oneof(
    { maxDepth: 4 },
    fc.constant({}),
    fc.dictionary(fc.constantFrom('f:a', 'f:b', 'k:{"name":"x"}', 'v:1'), tie('set'), { minKeys: 1, maxKeys: 3 }),
  ),
})).set;

describe('what one has and another has not', () => {
  test.for<[string, FieldSet, FieldSet, FieldSet | undefined]>([
    ['nothing, where they are the same', labels('a'), labels('a'), undefined],
    ['a field', labels('a', 'b'), labels('b'), labels('a')],
    [
      'a field of a list item that both have',
      { [port(80)]: { '.': {}, 'f:name': {} } },
      { [port(80)]: { '.': {} } },
      {
        [port(80)]: { 'f:name': {} },
      },
    ],
    [
      'an item as a whole',
      { [port(80)]: { '.': {} }, [port(81)]: { '.': {} } },
      { [port(80)]: { '.': {} } },
      {
        [port(81)]: { '.': {} },
      },
    ],
    ['not the map in which the other has something', { 'f:labels': { '.': {}, 'f:a': {} } }, labels('b'), labels('a')],
    ['nothing of what the other has as a whole', labels('a'), { 'f:labels': {} }, undefined],
  ])('is %s', ([, from, less, rest]) => {
    expect(difference(from, less)).toEqual(rest);
  });

  test('is nothing of it, however sets are made', () => {
    fc.assert(fc.property(sets, (set) => difference(set, set) === undefined));
  });

  test('makes the whole again with what the other has', () => {
    fc.assert(fc.property(sets, sets, (a, b) => difference(a, union([difference(a, b), b])) === undefined));
  });
});

test('the fields of a set that a value has', () => {
  const set = { 'f:spec': { 'f:type': {}, 'f:clusterIP': {}, 'f:ports': { [port(80)]: { '.': {}, 'f:name': {} } } } };
  expect(within(set, { spec: { type: 'ClusterIP', ports: [{ containerPort: 80, protocol: 'TCP' }] } })).toEqual({
    'f:spec': { 'f:type': {}, 'f:ports': { [port(80)]: { '.': {} } } },
  });
  expect(within(set, {})).toBeUndefined();
});

test('where the fields of a set lie in a value: items as a whole, maps never', () => {
  const set = {
    'f:metadata': { 'f:labels': { '.': {}, 'f:a/b': {}, 'f:gone': {} } },
    'f:spec': { 'f:ports': { [port(81)]: { '.': {}, 'f:name': {} } } },
  };
  const ports = [80, 81].map((containerPort) => ({ containerPort, protocol: 'TCP' }));
  expect(placesOf(set, { metadata: { labels: { 'a/b': 'c' } }, spec: { ports } })).toEqual([
    ['metadata', 'labels', 'a/b'],
    ['spec', 'ports', 1],
  ]);
});

test('a set has a field where it has it or something below it', () => {
  expect(has(fieldAt(['spec', 'replicas']), ['spec'])).toBe(true);
  expect(has(fieldAt(['spec', 'replicas']), ['spec', 'paused'])).toBe(false);
  expect(has(undefined, ['spec'])).toBe(false);
});
