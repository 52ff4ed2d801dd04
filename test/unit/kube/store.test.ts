import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOlder, type KubeObject, Store } from '../../../operator/kube/index.ts';

function object(name: string, version: number | string, uid = name, owner = ''): KubeObject {
  const metadata = { name, namespace: 'd', uid, resourceVersion: `${version}`, creationTimestamp: '' };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, owner };
}

function makeStore() {
  return new Store<{ version: string; owner: string }>({
    transform: ({ metadata, owner }) => ({ version: metadata.resourceVersion, owner: String(owner) }),
    indexers: { owner: ({ owner }) => (owner === '' ? [] : [owner]) },
  });
}

describe('versions', () => {
  test('are compared as integers of any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 80n }), fc.bigInt({ min: 1n, max: 2n ** 80n }), (a, b) => {
        expect(isOlder(`${a}`, `${b}`)).toBe(a < b);
      }),
    );
  });

  test.each(['', 'abc', '0', '-1', '01', '1.5'])('that are no integers (%s) are never older', (version) => {
    expect(isOlder(version, '5')).toBe(false);
    expect(isOlder('5', version)).toBe(false);
  });
});

describe('a store', () => {
  test('never goes back in time', () => {
    const store = makeStore();
    store.put(object('a', 10));
    expect(store.put(object('a', 9))).toEqual([]);
    expect(store.put(object('a', 9, 'earlier-incarnation'))).toEqual([]);
    expect(store.remove(object('a', 9, 'earlier-incarnation'))).toEqual([]);
    expect(store.get('d/a')?.version).toBe('10');
  });

  test('tells nothing of what it knows already', () => {
    const store = makeStore();
    store.put(object('a', 10));
    expect(store.put(object('a', 10))).toEqual([]);
  });

  test('tells a new UID as the end of one object and the start of another', () => {
    const store = makeStore();
    store.put(object('a', 10, 'old'));
    expect(store.put(object('a', 12, 'new')).map(({ type }) => type)).toEqual(['deleted', 'added']);
  });

  test('holds our own write against frames of earlier versions', () => {
    const store = makeStore();
    store.put(object('a', 10));
    store.wrote(object('a', 20));
    expect(store.put(object('a', 15))).toEqual([]);
    expect(store.put(object('a', 20))).toEqual([]);
    expect(store.get('d/a')?.version).toBe('20');
    expect(store.put(object('a', 21)).map(({ type }) => type)).toEqual(['updated']);
  });

  test('holds our own write against a list that was made before it', () => {
    const store = makeStore();
    store.wrote(object('ours', 20));
    store.put(object('gone', 5));
    expect(store.retain(new Set(), '15').map(({ key }) => key)).toEqual(['d/gone']);
    expect(store.get('d/ours')).toBeDefined();
    expect(store.retain(new Set(), '25').map(({ key }) => key)).toEqual(['d/ours']);
  });

  test('does not bring back what we have deleted, and knows a namesake', () => {
    const store = makeStore();
    store.wrote(object('a', 20, 'ours'));
    store.wroteDelete('d/a', 'ours');
    expect(store.put(object('a', 20, 'ours'))).toEqual([]);
    expect(store.put(object('a', 21, 'ours'))).toEqual([]);
    expect(store.get('d/a')).toBeUndefined();
    expect(store.put(object('a', 23, 'namesake')).map(({ type }) => type)).toEqual(['added']);
    expect(store.remove(object('a', 22, 'ours'))).toEqual([]);
    expect(store.get('d/a')?.version).toBe('23');
  });

  test.each(['told by a watch', 'left out of a list'])(
    'does not bring back what is gone, %s, when the answer of our last write to it comes late',
    (how) => {
      const store = makeStore();
      store.put(object('a', 10));
      if (how === 'told by a watch') store.remove(object('a', 30));
      else store.retain(new Set(), '30');
      store.wrote(object('a', 20));
      expect(store.get('d/a')).toBeUndefined();
      store.wrote(object('a', 31, 'namesake'));
      expect(store.get('d/a')?.version).toBe('31');
    },
  );

  test('remembers what we have deleted until a list is newer', () => {
    const store = makeStore();
    store.wrote(object('a', 20));
    store.wroteDelete('d/a', 'a');
    store.retain(new Set(), '15');
    expect(store.put(object('a', 20))).toEqual([]);
    store.retain(new Set(), '25');
    expect(store.put(object('a', 20))).toHaveLength(1);
  });

  test('does not forget a namesake when a delete of ours is answered late', () => {
    const store = makeStore();
    store.put(object('a', 30, 'namesake'));
    store.wroteDelete('d/a', 'ours');
    expect(store.get('d/a')).toBeDefined();
  });

  test('finds objects by their index, as they are now', () => {
    const store = makeStore();
    store.put(object('a', 1, 'a', 'x'));
    store.put(object('b', 2, 'b', 'x'));
    store.put(object('a', 3, 'a', 'y'));
    expect(store.byIndex('owner', 'x').map(({ version }) => version)).toEqual(['2']);
    expect(store.byIndex('owner', 'y').map(({ version }) => version)).toEqual(['3']);
    store.remove(object('b', 4, 'b'));
    expect(store.byIndex('owner', 'x')).toEqual([]);
    expect(() => store.byIndex('nothing', 'x')).toThrow('there are: owner');
  });

  test('has the newest version of each object, in whatever order and how often they come', () => {
    const writes = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 50 }), fc.boolean()));
    fc.assert(
      fc.property(writes, (steps) => {
        const store = makeStore();
        const newest = new Map<string, number>();
        for (const [name, version, ours] of steps) {
          if (ours) store.wrote(object(name, version));
          else store.put(object(name, version));
          newest.set(name, Math.max(newest.get(name) ?? 0, version));
        }
        for (const [name, version] of newest) expect(store.get(`d/${name}`)?.version).toBe(`${version}`);
        expect(store.size).toBe(newest.size);
      }),
    );
  });
});
