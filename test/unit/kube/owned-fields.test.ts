import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlainObject } from '../../../constructs/schema/json.ts';
import { digestOf, digestOfOwned, extract, type KubeObject, ownsPath } from '../../../operator/kube/index.ts';

function live(rest: PlainObject, fieldsV1: PlainObject, meta: PlainObject = {}, entry: PlainObject = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: {
      name: 'x',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '',
      ...meta,
      managedFields: [
        { manager: 'other', operation: 'Update', fieldsV1: { 'f:spec': { 'f:theirs': {} } } },
        { manager: 'trunnion', operation: 'Apply', fieldsV1, ...entry },
      ],
    },
    ...rest,
  };
}

describe('what we own', () => {
  test.each<[string, KubeObject, PlainObject]>([
    [
      'a field, but not its neighbours',
      live({ spec: { replicas: 1, theirs: 2 } }, { 'f:spec': { 'f:replicas': {} } }),
      { spec: { replicas: 1 } },
    ],
    [
      'an entry of a map, but not the others',
      live({}, { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } }, { labels: { a: '1', b: '2' } }),
      { metadata: { labels: { a: '1' } } },
    ],
    [
      'an item by its keys, in the order of the list',
      live(
        {
          ports: [
            { port: 3, protocol: 'TCP' },
            { port: 2, protocol: 'UDP', x: 1 },
            { port: 1, protocol: 'TCP', x: 1 },
          ],
        },
        {
          'f:ports': {
            'k:{"port":1,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} },
            'k:{"port":2,"protocol":"UDP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} },
          },
        },
      ),
      {
        ports: [
          { port: 2, protocol: 'UDP' },
          { port: 1, protocol: 'TCP' },
        ],
      },
    ],
    [
      'an item of a set',
      live({}, { 'f:metadata': { 'f:finalizers': { 'v:"b"': {} } } }, { finalizers: ['a', 'b'] }),
      { metadata: { finalizers: ['b'] } },
    ],
    ['an item by its place', live({ list: ['a', 'b'] }, { 'f:list': { 'i:1': {} } }), { list: ['b'] }],
    [
      'an atomic field as a whole',
      live({ spec: { selector: { matchLabels: { a: '1' } } } }, { 'f:spec': { 'f:selector': {} } }),
      { spec: { selector: { matchLabels: { a: '1' } } } },
    ],
    ['a map without its entries', live({ data: { theirs: '1' } }, { 'f:data': { '.': {} } }), { data: {} }],
  ])('is %s', (_what, object, expected) => {
    expect(extract(object, 'trunnion')).toEqual(expected);
    expect(digestOfOwned(object, 'trunnion')).toBe(
      digestOf({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x' }, ...expected }),
    );
  });

  test.each([
    ['by another manager', { manager: 'someone' }],
    ['by an update', { operation: 'Update' }],
    ['on a subresource', { subresource: 'status' }],
  ])('is nothing where it was written %s', (_what, entry) => {
    const object = live({ spec: { replicas: 1 } }, { 'f:spec': { 'f:replicas': {} } }, {}, entry);
    expect(extract(object, 'trunnion')).toBeUndefined();
    expect(digestOfOwned(object, 'trunnion')).toBe('');
    expect(ownsPath(object, 'trunnion', 'spec.replicas')).toBe(false);
  });

  test('is reported by path', () => {
    const object = live({}, { 'f:spec': { 'f:replicas': {}, 'f:template': { 'f:spec': {} } } });
    expect(ownsPath(object, 'trunnion', 'spec.replicas')).toBe(true);
    expect(ownsPath(object, 'trunnion', 'spec.template.spec')).toBe(true);
    expect(ownsPath(object, 'trunnion', 'spec.paused')).toBe(false);
    expect(ownsPath(object, 'trunnion', 'spec.replicas.deeper')).toBe(false);
  });

  test('may have names that mean something to JavaScript', () => {
    const data = JSON.parse('{"__proto__":"1","constructor":"2"}') as PlainObject;
    const fields = JSON.parse('{"f:data":{"f:__proto__":{},"f:constructor":{}}}') as PlainObject;
    const object = live({ data }, fields);
    expect(JSON.stringify(extract(object, 'trunnion'))).toBe('{"data":{"__proto__":"1","constructor":"2"}}');
    expect(ownsPath(live({}, {}), 'trunnion', 'constructor')).toBe(false);
  });
});

describe('the digest', () => {
  const spec = (value: PlainObject) => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x' }, spec: value });

  test('is the same for two spellings of a quantity', () => {
    const spelled = (cpu: unknown, memory: string) => digestOf(spec({ resources: { limits: { cpu, memory } } }));
    expect(spelled('0.5', '1024Mi')).toBe(spelled('500m', '1Gi'));
    expect(spelled(2, '1Gi')).toBe(spelled('2000m', '1Gi'));
    expect(spelled('1', '1Gi')).not.toBe(spelled('2', '1Gi'));
    expect(digestOf(spec({ emptyDir: { sizeLimit: '8192Mi' } }))).toBe(
      digestOf(spec({ emptyDir: { sizeLimit: '8Gi' } })),
    );
  });

  test('differs for two texts that only look like quantities', () => {
    expect(digestOf(spec({ env: [{ name: 'A', value: '0.5' }] }))).not.toBe(
      digestOf(spec({ env: [{ name: 'A', value: '500m' }] })),
    );
  });

  test('is the same whether the server keeps a zero or leaves it out', () => {
    const fields = { 'f:spec': { 'f:hostNetwork': {}, 'f:args': {}, 'f:cache': {} } };
    const manifest = spec({ hostNetwork: false, args: [], cache: {} });
    expect(digestOfOwned(live({ spec: {} }, fields), 'trunnion')).toBe(digestOf(manifest));
    expect(digestOfOwned(live({ spec: manifest.spec }, fields), 'trunnion')).toBe(digestOf(manifest));
    expect(digestOfOwned(live({ spec: { hostNetwork: true } }, fields), 'trunnion')).not.toBe(digestOf(manifest));
  });

  test('tells "all" from "none": an empty selector is not an absent one, an empty rule not no rule', () => {
    expect(digestOf(spec({ from: [{ namespaceSelector: {} }] }))).not.toBe(digestOf(spec({ from: [{}] })));
    expect(digestOf(spec({ egress: [{}] }))).not.toBe(digestOf(spec({ egress: [] })));
  });

  test('does not depend on the order of fields, but on that of items', () => {
    expect(digestOf(spec({ a: 1, b: 2 }))).toBe(digestOf(spec({ b: 2, a: 1 })));
    expect(digestOf(spec({ list: [1, 2] }))).not.toBe(digestOf(spec({ list: [2, 1] })));
  });

  test('leaves out what names the object', () => {
    const { spec: content } = spec({ a: 1 });
    const metadata = { name: 'y', namespace: 'n', uid: 'u', resourceVersion: '1' };
    expect(digestOf({ apiVersion: 'v2', kind: 'Other', metadata, spec: content })).toBe(digestOf(spec({ a: 1 })));
  });

  test('of what was applied equals that of the manifest, for any manifest', () => {
    const key = fc.string({ minLength: 1, maxLength: 4 });
    const { tree } = fc.letrec<{ tree: PlainObject; value: unknown }>((tie) => ({
      tree: fc.dictionary(key, tie('value'), { minKeys: 1, maxKeys: 4 }),
      value: fc.oneof({ maxDepth: 4 }, fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()), tie('tree')),
    }));
    const fieldsOf = (value: unknown): PlainObject =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [`f:${name}`, fieldsOf(member)]))
        : {};
    fc.assert(
      fc.property(tree, tree, (ours, theirs) => {
        const object = live({ spec: { ...theirs, ...ours } }, { 'f:spec': fieldsOf(ours) });
        expect(digestOfOwned(object, 'trunnion')).toBe(digestOf(spec(ours)));
      }),
    );
  });
});
