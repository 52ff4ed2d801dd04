import { TRUNNION } from '../../../operator/trunnion.ts';
import { setAside } from '../../support/as-trunnion.ts';
import { describe, expect, it } from 'vitest';
import { SpecError } from '../../../constructs/schema/error.ts';
import { STALE_RETRY_MS, UNREACHED_RETRY_MS } from '../../../operator/engine/api/failures.ts';
import type { Result } from '../../../operator/engine/api/kind.ts';
import type { CommonStatus, Resource } from '../../../operator/engine/api/resource.ts';
import { OUTDATED_RETRY_MS, OutdatedCrdError } from '../../../operator/engine/reconcile/outdated.ts';
import * as rules from '../../../operator/engine/reconcile/pass-rules.ts';
import type { Plan } from '../../../operator/engine/plan/plan.ts';
import { ReconcileError, StaleError, StatusRefusedError } from '../../../operator/engine/reconcile/reconcile-errors.ts';
import { stalledStatus } from '../../../operator/engine/reconcile/stalled.ts';
import { ApiError, TransportError } from '../../../operator/kube/client/errors.ts';
import { WIDGET } from '../../support/widget.ts';
import { desiredOf, liveOf } from './plan-world.ts';

const FINALIZER = 'test.trunnion.dev/widget';
const NOW = 1_000_000;

const resource = (metadata: Partial<Resource['metadata']> = {}, status?: CommonStatus): Resource => ({
  apiVersion: 'test.trunnion.dev/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'ns', uid: 'u', resourceVersion: '1', creationTimestamp: '', ...metadata },
  spec: {},
  ...(status !== undefined && { status }),
});
const isSetAside = (metadata: Partial<Resource['metadata']> = {}): Resource => {
  const before = resource({ generation: 1, ...metadata });
  return { ...before, status: stalledStatus(before, setAside(before), NOW) };
};
const deletionTimestamp = '2026-01-01T00:00:00Z';
const alive = resource();
const deleting = resource({ deletionTimestamp, finalizers: [FINALIZER] });

const result = (over: Partial<Result<unknown, unknown>> = {}): Result<unknown, unknown> => ({
  state: {},
  status: {},
  conditions: [],
  ...over,
});
const plan = (over: Partial<Plan> = {}): Plan => ({ steps: [], waiting: [], foreign: [], leaving: [], ...over });
const deployment = liveOf({ kind: 'Deployment', name: 'w' });

describe('the gate before a pass', () => {
  it.each<readonly [rules.Gate, string, Resource | undefined, string | undefined, number]>([
    ['open', 'a resource', alive, FINALIZER, 0],
    ['open', 'a resource of a kind without a finalizer', alive, undefined, 0],
    ['gone', 'no resource', undefined, FINALIZER, 0],
    ['gone', 'no resource, in a namespace that is held', undefined, FINALIZER, NOW],
    ['open', 'one that is being deleted and has our finalizer', deleting, FINALIZER, 0],
    ['gone', 'one that is being deleted, of a kind without a finalizer', deleting, undefined, 0],
    ['gone', 'one that is being deleted, without a finalizer', resource({ deletionTimestamp }), FINALIZER, 0],
    [
      'gone',
      'one that is being deleted, with the finalizer of others',
      resource({ deletionTimestamp, finalizers: ['example.com/other'] }),
      FINALIZER,
      0,
    ],
    ['set-aside', 'one that is set aside', isSetAside(), FINALIZER, 0],
    ['set-aside', 'one that is set aside, in a namespace that is held', isSetAside(), FINALIZER, NOW],
    [
      'open',
      'one that is set aside and is being deleted',
      isSetAside({ deletionTimestamp, finalizers: [FINALIZER] }),
      FINALIZER,
      0,
    ],
    ['held', 'one in a namespace that is held', alive, FINALIZER, NOW],
    ['held', 'one that is being deleted, in a namespace that is held', deleting, FINALIZER, NOW],
  ])('is %s for %s', (gate, _, of, finalizer, heldUntil) => {
    expect(rules.gateOf(of, { finalizer, identity: TRUNNION, heldUntil })).toBe(gate);
  });
});

describe('what a result leads to', () => {
  it.each([
    [false, 'by default', result(), alive],
    [true, 'where the kind says so', result({ waitForAnswers: true }), alive],
    [false, 'where the resource is being deleted', result({ waitForAnswers: true }), deleting],
  ])('answers are waited for: %s %s', (expected, _, of, about) => {
    expect(rules.isAwaitingAnswers(of, about)).toBe(expected);
  });

  it.each([
    [true, 'once all is done and all is gone', result({ release: true }), plan(), deleting],
    [false, 'while something is left', result({ release: true }), plan({ leaving: [deployment] }), deleting],
    [false, 'while the kind has something to do', result(), plan(), deleting],
    [false, 'while the resource is not being deleted', result({ release: true }), plan(), alive],
  ])('the resource is released: %s %s', (expected, _, of, its, about) => {
    expect(rules.isReleasable(of, its, about)).toBe(expected);
  });

  const child = desiredOf('job', 'Job');
  const live = liveOf({ kind: 'Job', name: 'job' });
  it.each([
    [false, 'by default', result(), plan()],
    [true, 'where the kind says so', result({ statusFirst: true }), plan()],
    [false, 'of a create', result(), plan({ steps: [{ action: 'create', child }] })],
    [true, 'of a delete', result(), plan({ steps: [{ action: 'delete', live }] })],
    [true, 'of a replacement', result(), plan({ steps: [{ action: 'replace', child, live }] })],
    [
      true,
      'of an apply that may replace the object',
      result(),
      plan({ steps: [{ action: 'apply', child, live, handOver: [], ifImmutable: 'replace' }] }),
    ],
    [
      false,
      'of any other apply',
      result(),
      plan({ steps: [{ action: 'apply', child, live, handOver: [], ifImmutable: 'leave' }] }),
    ],
  ])('the status is written first: %s %s', (expected, _, of, its) => {
    expect(rules.isStatusFirst(of, its)).toBe(expected);
  });

  it.each([
    [false, 'by default', result(), alive],
    [true, 'once its time is over', result({ expire: true }), alive],
    [false, 'where it is being deleted already', result({ expire: true }), deleting],
  ])('the resource is deleted: %s %s', (expected, _, of, about) => {
    expect(rules.isExpired(of, about)).toBe(expected);
  });

  const failure = { reason: 'Forbidden', message: 'no' };
  it.each([
    [false, 'where nothing was done', false, [], []],
    [true, 'after a write', true, [], []],
    [true, 'after a failure', false, [failure], []],
    [true, 'after a failure that is over', false, [], [failure]],
  ])('the kind decides again: %s %s', (expected, _, hasChanged, failures, before) => {
    expect(rules.mustDecideAgain(hasChanged, failures, before)).toBe(expected);
  });
});

describe('a status', () => {
  const unready = { conditions: [] };
  const ready = {
    conditions: [{ type: 'Ready', status: 'True', reason: 'Up', message: '', lastTransitionTime: '' } as const],
  };

  it.each([
    ['half a second after the last one', resource({}, {}), unready, { writtenAt: NOW }, NOW + 500],
    ['half a second after the first children were made', alive, unready, { writtenAt: NOW }, NOW + 500],
    ['at once where it was never written', alive, unready, { writtenAt: -Infinity }, -Infinity],
    ['at once where it is the first, of a failure', alive, unready, { writtenAt: NOW, hasFailed: true }, -Infinity],
    ['at once where it is the first, and ready', alive, ready, { writtenAt: NOW }, -Infinity],
    ['later where it is ready, and not the first', resource({}, {}), ready, { writtenAt: NOW }, NOW + 500],
    [
      'later where it is of a failure, and not the first',
      resource({}, {}),
      unready,
      { writtenAt: NOW, hasFailed: true },
      NOW + 500,
    ],
  ])('is due %s', (_, before, status, when, dueAt) => {
    expect(rules.statusDueAt(before, status, { intervalMs: 500, hasFailed: false, ...when })).toBe(dueAt);
  });

  it.each([
    [true, 'the first children were made', alive, 1],
    [false, 'nothing was made', alive, 0],
    [false, 'there is a status', resource({}, {}), 1],
  ])('waits for what comes of the first children: %s where %s', (expected, _, before, writes) => {
    expect(rules.isFirstWrite(before, writes)).toBe(expected);
  });

  const outdated = new OutdatedCrdError(
    WIDGET,
    new ApiError(500, { message: 'field not declared in schema' }),
    TRUNNION,
  );
  const refused = new StatusRefusedError(new ApiError(403, { message: 'no' }));
  it.each([
    ['is done without where its CRD is outdated', outdated, deleting, 'OutdatedCRD'],
    ['is done without where it is refused', refused, deleting, 'StatusRefused'],
    ['is not done without where the resource lives', refused, alive, undefined],
    ['is not done without after another error', new StaleError(), deleting, undefined],
  ])('%s', (_, error, of, reason) => {
    expect(rules.unwritableNote(error, of)?.reason).toBe(reason);
  });
});

describe('what the queue does after a pass', () => {
  const end: rules.PassEnd = {
    statusDueAt: Infinity,
    isFirst: false,
    isWaiting: false,
    hasChanged: false,
    hasFailed: false,
    stale: false,
    unreached: false,
    now: NOW,
  };
  const later = NOW + 60_000;

  it.each<readonly [string, Partial<rules.PassEnd>, boolean, number]>([
    ['nothing, where nothing was done', {}, false, Infinity],
    ['it calls the kind when that wants it', { requeueAt: later }, false, later],
    ['it writes the status when that is due', { requeueAt: later, statusDueAt: NOW + 500 }, false, NOW + 500],
    ['it looks again at once, where something was written', { requeueAt: later, hasChanged: true }, false, NOW],
    [
      'it waits for the status, where all was made and nothing waits for it',
      { isFirst: true, hasChanged: true, statusDueAt: NOW + 500 },
      false,
      NOW + 500,
    ],
    [
      'it looks again at once, where something waits for what was made',
      { isFirst: true, hasChanged: true, statusDueAt: NOW + 500, isWaiting: true },
      false,
      NOW,
    ],
    ['it looks again at once, where the first status was written', { isFirst: true, hasChanged: true }, false, NOW],
    ['it retries after a failure', { hasFailed: true }, true, Infinity],
    ['it retries after a failure, and not at once', { hasFailed: true, hasChanged: true }, true, Infinity],
    ['it retries soon where the cache was behind', { stale: true }, true, NOW + STALE_RETRY_MS],
    ['it retries at once where the cache was refreshed', { stale: true, hasChanged: true }, true, NOW],
    [
      'it retries soon where the API server was not reached',
      { hasFailed: true, unreached: true, hasChanged: true },
      true,
      NOW + UNREACHED_RETRY_MS,
    ],
  ])('%s', (_, over, retry, requeueAt) => {
    expect(rules.outcomeOf({ ...end, ...over })).toEqual({ retry, requeueAt });
  });
});

describe('what a pass does about an error', () => {
  const spec = new SpecError('Widget ns/w', [{ path: 'spec.message', message: 'is bad' }]);
  const fault = new ReconcileError('decide', new Error('broken'));
  const outdated = new OutdatedCrdError(
    WIDGET,
    new ApiError(500, { message: 'field not declared in schema' }),
    TRUNNION,
  );

  it.each<readonly [string, unknown, Resource, number, object]>([
    ['refuses a spec that can not work', spec, alive, 0, { do: 'refuse', error: spec }],
    ['releases a resource whose spec can not work', spec, deleting, 0, { do: 'release' }],
    ['fails where the kind failed', fault, alive, 3, { do: 'fail' }],
    ['fails where the kind failed, of a resource that is being deleted', fault, deleting, 2, { do: 'fail' }],
    ['releases a resource for which the kind failed three times', fault, deleting, 3, { do: 'release' }],
    ['fails with an event where a CRD is outdated', outdated, alive, 0, { do: 'fail', note: outdated.note }],
    ['fails where the cache was behind', new StaleError(), deleting, 3, { do: 'fail' }],
    ['fails where the API server refuses', new ApiError(403, { message: 'no' }), deleting, 3, { do: 'fail' }],
  ])('%s', (_, error, of, stalls, recovery) => {
    expect(rules.recoveryFrom(error, of, { stalls })).toEqual(recovery);
  });
});

describe('the end of a pass', () => {
  const fault = new ReconcileError('decide', new Error('broken'));
  const other = new Error('aborted');
  const well: rules.Ending = { outcome: {} };

  it('is an outcome where the cache was behind, and an error otherwise', () => {
    expect(rules.endingOf(new StaleError(), NOW)).toEqual({
      outcome: { retry: true, requeueAt: NOW + STALE_RETRY_MS },
    });
    expect(rules.endingOf(other, NOW)).toEqual({ error: other });
  });

  it.each<readonly [string, rules.Ending, number]>([
    ['none after a pass that ended well', well, 0],
    ['one more where the kind failed', { error: fault }, 3],
    ['as many as before after another error', { error: other }, 2],
  ])('leaves so many stalls: %s', (_, ending, stalls) => {
    expect(rules.stallsAfter(ending, 2)).toBe(stalls);
  });

  it.each<readonly [string, rules.Ending, Resource, number, string | undefined]>([
    ['nothing of a pass that ended well', well, alive, 2, undefined],
    ['that the kind failed', { error: fault }, alive, 2, 'ReconcileError'],
    ['nothing of another error', { error: other }, alive, 3, undefined],
    ['that it is set aside, where it was slow three times', well, alive, 3, 'SetAside'],
    ['that it is set aside, where it failed as well', { error: fault }, alive, 3, 'SetAside'],
    ['nothing of a slow resource that is being deleted', well, deleting, 3, undefined],
    ['that the kind failed, where it is being deleted', { error: fault }, deleting, 3, 'ReconcileError'],
  ])('reports %s', (_, ending, of, slow, reason) => {
    expect(rules.stallAfter(ending, of, { slow }, TRUNNION)?.reason).toBe(reason);
  });

  it.each([
    ['within its backoff', other, { retry: true }],
    [
      'within seconds where the API server was not reached',
      new TransportError('connect ECONNREFUSED', 'ECONNREFUSED', false),
      { retry: true, requeueAt: NOW + UNREACHED_RETRY_MS },
    ],
    [
      'within half a minute where a CRD is outdated',
      new OutdatedCrdError(WIDGET, new ApiError(500, { message: 'field not declared in schema' }), TRUNNION),
      { retry: true, requeueAt: NOW + OUTDATED_RETRY_MS },
    ],
  ])('after an error has the queue retry %s', (_, error, outcome) => {
    expect(rules.outcomeAfterError(error, NOW)).toEqual(outcome);
  });

  it.each([
    ['success', {}],
    ['success', { requeueAt: Infinity }],
    ['requeue_after', { requeueAt: NOW }],
    ['requeue', { retry: true, requeueAt: NOW }],
  ])('counts as %s: %j', (counted, outcome) => {
    expect(rules.resultOf(outcome)).toBe(counted);
  });
});
