import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../operator/kube/index.ts';
import type { UntilObject } from '../../../testing/faults/options.ts';
import { isReached, orphansOf } from '../../../testing/faults/steps.ts';

const object = (status: object, generation = 2): KubeObject => ({
  apiVersion: 'acme.dev/v1',
  kind: 'WebApp',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '', generation },
  status,
});

const ready = (more: object = {}) => ({ conditions: [{ type: 'Ready', status: 'True', ...more }] });

describe('what a step waits for', () => {
  const READY = { condition: 'Ready' };
  it.each<[string, Partial<UntilObject>, KubeObject | undefined, boolean]>([
    ['a condition that is True', READY, object(ready()), true],
    ['a condition that is False', READY, object({ conditions: [{ type: 'Ready', status: 'False' }] }), false],
    ['a condition that is not there', READY, object({}), false],
    ['a condition about an earlier spec', READY, object(ready({ observedGeneration: 1 })), false],
    ['a condition of a status about an earlier spec', READY, object({ ...ready(), observedGeneration: 1 }), false],
    [
      'a condition about this spec',
      READY,
      object({ ...ready({ observedGeneration: 2 }), observedGeneration: 2 }),
      true,
    ],
    ['an object that is not there', READY, undefined, false],
    ['an object that is not there, as it must be', { gone: true }, undefined, true],
    ['an object that is still there', { gone: true }, object({}), false],
    ['what holds', { holds: ({ metadata }) => metadata.name === 'a' }, object({}), true],
    ['what does not hold, with a condition that does', { ...READY, holds: () => false }, object(ready()), false],
  ])('%s', (_, until, found, reached) => {
    expect(isReached({ kind: 'WebApp', name: 'a', ...until }, found)).toBe(reached);
  });
});

describe('what waits for the garbage collector', () => {
  const owned = (uid: string, owner?: { readonly kind: string; readonly uid: string }): KubeObject => ({
    ...object({}),
    metadata: {
      ...object({}).metadata,
      uid,
      ...(owner !== undefined && { ownerReferences: [{ apiVersion: 'v1', name: 'o', ...owner }] }),
    },
  });
  const KINDS = new Set(['WebApp', 'Deployment']);

  it.each<[string, readonly KubeObject[], readonly string[]]>([
    ['nothing without owners', [owned('a')], []],
    ['nothing whose owner is there', [owned('a'), owned('b', { kind: 'WebApp', uid: 'a' })], []],
    ['what had an owner', [owned('b', { kind: 'WebApp', uid: 'a' })], ['b']],
    ['nothing whose owner is of a kind that was not looked at', [owned('b', { kind: 'Node', uid: 'a' })], []],
    ['nothing whose owner was there before', [owned('b', { kind: 'WebApp', uid: 'old' })], []],
  ])('is %s', (_, objects, orphans) => {
    expect(orphansOf(objects, KINDS, new Set(['old'])).map(({ metadata }) => metadata.uid)).toEqual(orphans);
  });
});
