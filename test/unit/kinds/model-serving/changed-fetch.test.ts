import { describe, expect, it, test } from 'vitest';
import type { ModelServingStatus } from '../../../../constructs/model-serving/status.ts';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import type { ObservedChild } from '../../../../operator/engine/api/observed.ts';
import {
  MINUTE,
  NO_SECRET,
  SECOND,
  START,
  URI,
  claim,
  container,
  decide,
  deployment,
  ends,
  fetcher,
  job,
  resourceOf,
  runningStatus,
  conditionOf,
  secret,
  messageOf,
  server,
  service,
  shared,
  unschedulable,
} from './support.ts';

/** The Job of the changed template, made just now beside the complete one of the earlier template. */
const changed = (state: 'running' | 'Complete' | 'Failed' = 'running'): ObservedChild =>
  job(URI, state, { name: 'llama-fetch-changed', uid: 'changed', createdAt: START });

const pod = (...[over, podOver]: [Parameters<typeof fetcher>[1]?, Parameters<typeof fetcher>[2]?]) =>
  fetcher(URI, over, {
    name: 'llama-fetch-changed-1',
    labels: { 'app.kubernetes.io/component': 'fetcher', 'batch.kubernetes.io/job-name': 'llama-fetch-changed' },
    ...podOver,
  });

/** A service that runs, with its complete Job, and what else there is. */
const observed = (others: readonly ObservedChild[], fetchers = [] as readonly ReturnType<typeof pod>[]) => ({
  resource: resourceOf(shared, { status: runningStatus(shared) }),
  children: [
    claim(URI, 'Bound', { createdAt: START - 10 * MINUTE }),
    job(URI, 'Complete'),
    deployment(),
    service(),
    ...others,
  ],
  pods: [server(shared), fetcher(URI, { terminated: ends(0) }, { phase: 'Succeeded' }), ...fetchers],
});

const NO_NODE = "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.";
const DISK = '0/3 nodes are available: 3 node(s) had volume node affinity conflict: persistentvolume.';
const PULL = { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } };

describe('a change that has the weights fetched again, beside servers that serve on', () => {
  test.each([
    ['a pod that finds no node', changed(), [pod({}, unschedulable(NO_NODE))], 'True Unschedulable'],
    ['a pod whose volume can not be had there', changed(), [pod({}, unschedulable(DISK))], 'False VolumeNotBound'],
    ['an image that can not be pulled', changed(), [pod(PULL)], 'False ImagePullFailed'],
    ['a try that failed', changed(), [pod({ lastTerminated: ends(75, 'no route') })], 'True FetchingWeights'],
    ['a Job that failed', changed('Failed'), [pod({ terminated: ends(64, '404') })], 'False DownloadFailed'],
    ['a Job that failed and lost its pod', changed('Failed'), [], 'False DownloadFailed'],
    ['a Job that runs', changed(), [pod()], 'True FetchingWeights'],
    ['a Job that has just been made', changed(), [], 'True FetchingWeights'],
  ] as const)('is not complete with %s', (_, made, fetchers, progressing) => {
    const { status } = decide(observed([made], fetchers), START + 2 * SECOND);
    expect(conditionOf(status, 'WeightsReady')).toBe('True Fetched');
    expect(conditionOf(status, 'Progressing')).toBe(progressing);
    expect(conditionOf(status, 'Ready')).toBe(`False ${progressing.split(' ')[1]}`);
    expect(conditionOf(status, 'Available')).toBe('True Available');
    expect(status.phase).toBe('Updating');
  });

  it('is complete once its Job is', () => {
    const { status } = decide(observed([changed('Complete')], [pod({ terminated: ends(0) })]));
    expect([conditionOf(status, 'Progressing'), conditionOf(status, 'Ready')]).toEqual(['True Complete', 'True Ready']);
    expect(status.phase).toBe('Running');
  });

  it('tells the words of the new fetch, and not those of the earlier one', () => {
    const words = messageOf(
      decide(observed([changed('Failed')], [pod({ terminated: ends(64, 'the host answered 404') })])).status,
      'Progressing',
    );
    expect(words).toContain('exit code 64: the host answered 404. It is tried again at 2026-01-01T00:10:00Z');
  });

  it('tries a failed Job again ten minutes later, as it does a first one', () => {
    const failed = observed([changed('Failed')], [pod({ terminated: ends(64) })]);
    const before = decide(failed, START + 9 * MINUTE);
    expect([before.replace, before.requeueAt]).toEqual([undefined, START + 10 * MINUTE]);
    expect(decide(failed, START + 10 * MINUTE).replace).toEqual(['fetch']);
  });

  it('tells that its credentials are not there, and tries again once they change', () => {
    const spec = { ...shared, model: { ...shared.model, credentials: { secretName: 'token' } } };
    const failed = observed([changed('Failed')], [pod({ terminated: ends(64) })]);
    const observations = (status: ModelServingStatus | undefined, answer: Answer) =>
      decide(
        { ...failed, resource: resourceOf(spec, status && { status }), answers: { 'secret/token': answer } },
        START + MINUTE,
      );
    const missing = observations(undefined, NO_SECRET);
    expect(conditionOf(missing.status, 'Progressing')).toBe('False ReferenceMissing');
    const known = observations(observations(undefined, secret('one')).status, secret('one'));
    expect(known.replace).toBeUndefined();
    expect(observations(known.status, secret('two')).replace).toEqual(['fetch']);
  });

  it('tells a Job that gets no pod after a minute, and wakes for it', () => {
    const early = decide(observed([changed()]), START + 10 * SECOND);
    expect(early.requeueAt).toBe(START + MINUTE);
    const late = decide(observed([changed()]), START + MINUTE);
    expect(conditionOf(late.status, 'Progressing')).toBe('False PodNotCreated');
  });

  it('tells that the API server refuses its pod, also right after the operator started again', () => {
    const message = 'pods "x" is forbidden: exceeded quota: gpus, requested: pods=1, used: pods=4, limited: pods=4';
    const event = { reason: 'FailedCreate', message, type: 'Warning', count: 1, at: START };
    const answers = { 'events/changed': { at: START, type: 'events', events: [event] } as const };
    const { status } = decide({ ...observed([changed()]), answers }, START + 10 * SECOND);
    expect(conditionOf(status, 'Progressing')).toBe('False QuotaExceeded');
    const again = { ...observed([changed()]), resource: resourceOf(shared, { status }) };
    expect(conditionOf(decide(again, START + 20 * SECOND).status, 'Progressing')).toBe('False QuotaExceeded');
  });
});

describe('a Job that is created again since somebody deleted the complete one', () => {
  const alone = (made: ObservedChild, fetchers: readonly ReturnType<typeof pod>[] = []) => ({
    ...observed([]),
    children: [claim(URI), deployment(), service(), made],
    pods: [server(shared), ...fetchers],
  });

  it('holds up nothing while it runs', () => {
    expect(conditionOf(decide(alone(changed(), [pod()])).status, 'Ready')).toBe('True Ready');
  });

  it.each([
    ['can not start', changed(), [pod(PULL)], 'ImagePullFailed'],
    ['fails', changed('Failed'), [pod({ terminated: ends(64) })], 'DownloadFailed'],
  ] as const)('is reported where it %s', (_, made, fetchers, reason) => {
    const { status } = decide(alone(made, fetchers));
    expect(conditionOf(status, 'Progressing')).toBe(`False ${reason}`);
    expect(conditionOf(status, 'Available')).toBe('True Available');
  });
});

it('a fetch that another container of its pod holds is reported, though servers serve', () => {
  const done = { ...ends(0), finishedAt: new Date(START).toISOString() };
  const running = { running: { startedAt: done.finishedAt } };
  const held = pod({}, { containers: [container('fetch', { terminated: done }), container('proxy', running)] });
  const { status } = decide(observed([changed()], [held]), START + MINUTE);
  expect(conditionOf(status, 'Progressing')).toBe('False FetchHeld');
});
