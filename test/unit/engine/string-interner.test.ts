import { OBSERVER } from '../../support/as-trunnion.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { childStore, resourceStore } from '../../../operator/engine/cache/cache-stores.ts';
import { StringInterner } from '../../../operator/engine/cache/string-interner.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const LENGTH = 10_000;
const OBJECTS = 1_000;

const aliveBytes = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

/** A Deployment as it comes over the wire, of which a condition says much. */
const wireDeployment = (index: number): KubeObject =>
  JSON.parse(
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: `d${index}`, namespace: 'd', uid: `u${index}`, resourceVersion: `${index + 1}` },
      spec: { image: 'i'.repeat(LENGTH) },
      status: { conditions: [{ type: 'Available', status: 'True', message: 'm'.repeat(LENGTH) }] },
    }),
  ) as KubeObject;

test.each([
  ['resources', () => resourceStore(undefined)],
  ['children', () => childStore([], OBSERVER)],
])('the cache of %s keeps a text that a thousand objects hold a few times, not a thousand', (_, makeStore) => {
  const store = makeStore();
  const before = aliveBytes();
  for (let index = 0; index < OBJECTS; index++) store.put(wireDeployment(index));
  expect(aliveBytes() - before).toBeLessThan((OBJECTS * LENGTH) / 4);
  expect(store.size).toBe(OBJECTS);
});

test('values are as they were', () => {
  const strings = new StringInterner();
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy: unknown = JSON.parse(JSON.stringify(value));
      expect(strings.in(JSON.parse(JSON.stringify(value)))).toEqual(copy);
    }),
  );
});
