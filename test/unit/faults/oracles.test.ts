import { describe, expect, it } from 'vitest';
import type { ScenarioRun } from '../../../testing/faults/scenario.ts';
import { covers, forgiving, judgeChanges, judgeState, learn } from '../../../testing/faults/oracles.ts';
import { differences, normalise, type State } from '../../../testing/faults/state.ts';

const run = (states: Readonly<Record<string, State>>, changes: Readonly<Record<string, number>> = {}): ScenarioRun => ({
  states,
  changes,
  writes: [1],
  writesAtRest: [],
  traffic: { watched: [], watches: 0, reads: 0, streamsLists: true, takesOldLists: true },
});

const deployment = (replicas: number, note = 'a', generation = 1): State => ({
  'Deployment/a': { metadata: { generation, annotations: { note } }, spec: { replicas } },
});

describe('a state', () => {
  it('has no identities, versions and times', () => {
    const uid = '6a0cbb2e-9f4c-4a9e-8d0c-3f0f6b9c2a11';
    expect(
      normalise({ uid, resourceVersion: '7', at: '2026-01-01T00:00:00Z', owner: `of ${uid}`, list: [{ uid, a: 1 }] }),
    ).toEqual({ at: '<time>', owner: 'of <uid>', list: [{ a: 1 }] });
  });

  it('has no times inside of texts, and none of what it is told to take out', () => {
    const text = '{"started":"2026-01-01T00:00:00.123456+00:00","by":"ns-7"}';
    expect(normalise({ text }, (each) => each.replaceAll('ns-7', '<namespace>'))).toEqual({
      text: '{"started":"<time>","by":"<namespace>"}',
    });
  });

  it('has its conditions in the order of their types', () => {
    expect(normalise({ conditions: [{ type: 'B' }, { type: 'A', status: 'True' }] })).toEqual({
      conditions: [{ type: 'A', status: 'True' }, { type: 'B' }],
    });
  });

  it('differs where it differs, as deep as possible', () => {
    expect(differences({ a: { b: [1, 2] }, c: 1 }, { a: { b: [1, 3] }, d: null })).toEqual([
      { path: 'a.b[]', left: 2, right: 3 },
      { path: 'c', left: 1, right: undefined },
      { path: 'd', left: undefined, right: null },
    ]);
  });
});

describe('a reference', () => {
  const reference = learn(run({ scale: deployment(2, 'x') }), run({ scale: deployment(2, 'y') }), ['b']);

  it('lets vary what varied between two clean runs, and what is known to', () => {
    expect(judgeState(reference, 'scale', { ...deployment(2, 'z'), b: 1 })).toEqual([]);
  });

  it('reports every other difference, by step', () => {
    expect(judgeState(reference, 'scale', deployment(3))).toEqual([
      'after scale, Deployment/a.spec.replicas is 3 instead of 2',
    ]);
    expect(judgeState(reference, 'scale', {})[0]).toMatch(/Deployment\/a is absent instead of/);
  });

  it('says nothing of steps that it does not know', () => {
    expect(judgeState(reference, 'another', deployment(9))).toEqual([]);
  });

  it('may forgive that something was created again, and nothing else', () => {
    const again: State = { ...deployment(2, 'x', 5), 'ReplicaSet/#2': {} };
    expect(judgeState(reference, 'scale', again)).not.toEqual([]);
    expect(judgeState(forgiving(reference), 'scale', again)).toEqual([]);
    expect(judgeState(forgiving(reference), 'scale', deployment(3, 'x', 5))).not.toEqual([]);
  });

  it('counts creates and deletes of each object', () => {
    const once = learn(run({}, { 'create a/b': 1 }), run({}));
    expect(judgeChanges(once, run({}, { 'create a/b': 1 }))).toEqual([]);
    expect(judgeChanges(once, run({}, { 'create a/b': 2, 'delete a/b': 1 }))).toEqual([
      'create a/b: 2 times instead of 1',
      'delete a/b: 1 times instead of 0',
    ]);
  });
});

describe('a path that is not compared', () => {
  it.each([
    ['WebApp/demo.status.lastSeen', 'WebApp/demo.status.lastSeen', true],
    ['WebApp/demo.status', 'WebApp/demo.status.lastSeen', true],
    ['WebApp/demo.status.conditions', 'WebApp/demo.status.conditions[].message', true],
    ['WebApp/demo.status.last', 'WebApp/demo.status.lastSeen', false],
    ['Secret/*.data', 'Secret/demo-key.data.password', true],
    ['Secret/*.data', 'Secret/demo.data-key.data', true],
    ['Secret/*.data', 'Secret/demo.metadata.name', false],
    ['Secret/*', 'Secret/demo.metadata.name', true],
    ['*.status.lastSeen', 'WebApp/demo.status.lastSeen', true],
  ])('%s covers %s: %s', (pattern, path, covered) => {
    expect(covers(pattern, path)).toBe(covered);
  });
});
