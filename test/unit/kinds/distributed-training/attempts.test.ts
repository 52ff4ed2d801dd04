import { shortHashOf } from '../../../../constructs/parts/weights/key.ts';
import { describe, expect, it } from 'vitest';
import type { ObservedPod } from '../../../../operator/engine/api/observed.ts';
import {
  MINUTE,
  SECOND,
  START,
  butFor,
  container,
  decide,
  disrupted,
  ended,
  failedOnce,
  firstIsGone,
  job,
  pod,
  pods,
  resourceOf,
  conditionOf,
  messageOf,
  specOf,
  statusOf,
} from './support.ts';

const spec = specOf({ replicas: 8 });
const first = job(spec);
const resource = resourceOf(spec, { status: statusOf(1) });
const observed = (over: Partial<ObservedPod>, rank = 5) => ({
  resource,
  children: [first],
  pods: butFor(pods(first, 8), rank, over),
});

describe('an attempt ends', () => {
  it.each([
    ['a program that fails', ended(1, { message: 'loss is NaN' }), 'ProgramFailed', 1, 1],
    ['a program out of memory', ended(137, { reason: 'OOMKilled' }), 'OutOfMemory', 137, 1],
    ['a program that was killed', ended(137), 'Killed', 137, 1],
    ['a segmentation fault', ended(139), 'Crashed', 139, 1],
    ['a command that is not there', ended(127), 'CommandNotFound', 127, 1],
    ['a container that can not be started', ended(128, { reason: 'StartError' }), 'StartFailed', 128, 1],
    ['a preempted pod', disrupted('PreemptionByScheduler'), 'Preempted', undefined, 0],
    ['a drained pod', disrupted('EvictionByEvictionAPI'), 'Drained', undefined, 0],
    ['a pod on a node that does not answer', disrupted('DeletionByTaintManager'), 'NodeLost', undefined, 0],
    ['a pod on a node that is gone', disrupted('DeletionByPodGC'), 'NodeLost', undefined, 0],
    ['a pod that its node evicted', disrupted('TerminationByKubelet'), 'Evicted', undefined, 0],
    ['a disruption of tomorrow', disrupted('SomethingNew'), 'Disrupted', undefined, 0],
    ['a preempted pod that has stopped', { ...disrupted('PreemptionByScheduler'), ...ended(143) }, 'Preempted', 143, 0],
    ['a pod that its node refused', { phase: 'Failed', reason: 'OutOfcpu', containers: [] }, 'Rejected', undefined, 0],
    ['a pod that somebody deleted', { deleting: true, goneBy: START }, 'PodDeleted', undefined, 0],
    [
      'a rank that was created again while nobody looked',
      { annotations: { 'batch.kubernetes.io/job-index-ignored-failure-count': '1' } },
      'RankReplaced',
      undefined,
      0,
    ],
  ])('with %s: all ranks stop, and it is told why', (_, over, reason, exitCode, charged) => {
    const { state, status, statusFirst } = decide(observed(over), START + 11 * MINUTE);
    expect(state).toEqual({ attempt: 2, lifecycle: 'stopped' });
    expect(statusFirst).toBe(true);
    expect(status).toMatchObject({
      phase: 'Restarting',
      attempt: 2,
      failures: charged,
      attempts: [
        {
          number: 1,
          reason,
          rank: 5,
          node: 'gpu-5',
          charged,
          startedAt: '2026-01-01T00:00:00Z',
          finishedAt: '2026-01-01T00:11:00Z',
        },
      ],
    });
    expect(status.attempts?.[0]?.exitCode).toBe(exitCode);
    expect(conditionOf(status, 'Restarting')).toBe(`True ${reason}`);
  });

  it('with the first rank that failed, whatever others did for lack of it', () => {
    const all = pods(first, 8);
    const failing = all.map((each, rank) => ({
      ...each,
      ...ended(1, { finishedAt: `2026-01-01T00:10:0${9 - rank}Z` }),
    }));
    const { status } = decide({ resource, children: [first], pods: failing });
    expect(status.attempts).toMatchObject([{ rank: 7, charged: 1 }]);
    expect(status.failures).toBe(1);
  });

  const closed = 'RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.244.0.5]:16618.';
  const consequence = ended(1, { message: closed, finishedAt: '2026-01-01T00:10:00Z' });
  const cause = ended(1, { message: 'loss is NaN', finishedAt: '2026-01-01T00:10:01Z' });

  it('with the rank that failed by itself, though one that lost its peer is reported as earlier', () => {
    const all = butFor(pods(first, 8, consequence), 3, cause);
    const { status } = decide({ resource, children: [first], pods: all }, START + 11 * MINUTE);
    expect(status.attempts).toMatchObject([{ rank: 3, message: expect.stringContaining('loss is NaN') }]);
  });

  it('once the rank has been reported that others failed for lack of, or five seconds later', () => {
    const failed = job(spec, 1, 'worker', { condition: { type: 'Failed', reason: 'BackoffLimitExceeded' } });
    const all = butFor(pods(first, 8), 0, consequence);
    const at = (now: number) => decide({ resource, children: [failed], pods: all }, now);
    const known = Date.parse('2026-01-01T00:10:05Z');
    expect(at(known - SECOND)).toMatchObject({ requeueAt: known });
    expect(at(known - SECOND).status.attempts).toBeUndefined();
    expect(at(known).status.attempts).toMatchObject([{ rank: 0 }]);
  });

  it('with the rank that failed by itself, though its Job removes its pod before its end is reported', () => {
    const going = { deleting: true, goesSince: Date.parse('2026-01-01T00:10:02Z'), goneBy: START + 11 * MINUTE };
    const failed = job(spec, 1, 'worker', { condition: { type: 'Failed', reason: 'BackoffLimitExceeded' } });
    const removed = butFor(pods(first, 8, { ...ended(143), ...going }), 0, consequence);
    const all = butFor(removed, 3, { ...cause, ...going });
    const { status } = decide({ resource, children: [failed], pods: all }, START + 11 * MINUTE);
    expect(status.attempts).toMatchObject([{ rank: 3, exitCode: 1, charged: 1 }]);
  });

  it.each([
    ['in the second in which its Job removes it', '2026-01-01T00:10:02Z', 'BackoffLimitExceeded'],
    ['before its user removes it', '2026-01-01T00:10:03Z', undefined],
  ])('not with a rank that fails %s', (_, goesAt, reason) => {
    const going = { deleting: true, goesSince: Date.parse(goesAt), goneBy: START + 11 * MINUTE };
    const failed = ended(1, { message: 'got signal: 15', finishedAt: '2026-01-01T00:10:02Z' });
    const owner = reason === undefined ? first : job(spec, 1, 'worker', { condition: { type: 'Failed', reason } });
    const all = butFor(butFor(pods(first, 8), 0, consequence), 3, { ...failed, ...going });
    const { status } = decide({ resource, children: [owner], pods: all }, START + 11 * MINUTE);
    const attempt = reason === undefined ? { rank: 3, reason: 'PodDeleted', charged: 0 } : { rank: 0, charged: 1 };
    expect(status.attempts).toMatchObject([attempt]);
  });

  it('uncharged, where ranks fail for lack of one that was removed', () => {
    const all = butFor(pods(first, 8, ended(1)), 2, disrupted('DeletionByTaintManager'));
    const { status } = decide({ resource, children: [first], pods: all });
    expect(status).toMatchObject({ failures: 0, attempts: [{ reason: 'NodeLost', rank: 2 }] });
  });

  it('uncharged, where ranks fail while a node has fallen silent', () => {
    const silent = { conditions: [{ type: 'Ready', status: 'False', reason: 'NodeNotReady', message: '' }] };
    const all = butFor(pods(first, 8, ended(1)), 2, { ...pod(first, 2), ...silent });
    const { status } = decide({ resource, children: [first], pods: all });
    expect(status).toMatchObject({ failures: 0, attempts: [{ reason: 'NodeLost', rank: 2, node: 'gpu-2' }] });
    const alone = decide({ resource, children: [first], pods: butFor(pods(first, 8), 2, silent) });
    expect(alone.status.attempts).toBeUndefined();
  });

  it('charged for each time that a Job, left to itself, has tried a rank', () => {
    const again = { ...pod(first, 5, ended(1)), name: 'again', uid: 'again', createdAt: START + MINUTE };
    const { status } = decide({ resource, children: [first], pods: [...butFor(pods(first, 8), 5, ended(1)), again] });
    expect(status).toMatchObject({ failures: 2, attempts: [{ charged: 2 }] });
  });

  it('where its Job is being deleted and its pods are still there', () => {
    const { status, state } = decide({
      resource,
      children: [{ ...first, deleting: true }],
      pods: pods(first, 8),
    });
    expect(status.attempts).toMatchObject([{ reason: 'JobDeleted', charged: 0 }]);
    expect(state).toEqual({ attempt: 2, lifecycle: 'stopped' });
  });

  it('where its Job gave up and no pod tells why', () => {
    const failed = job(spec, 1, 'worker', { condition: { type: 'Failed', reason: 'FailedIndexes', message: 'words' } });
    const { status } = decide({ resource, children: [failed], pods: [] });
    expect(status.attempts).toMatchObject([
      { reason: 'JobFailed', charged: 1, message: expect.stringMatching(/words/) },
    ]);
  });

  it.each([
    ['so that its pods differ', { image: 'torch:2' }],
    ['so that its Jobs have other names', { framework: 'mpi' }],
  ] as const)('uncharged and at once, where the spec changed %s', (_, change) => {
    const changed = resourceOf(specOf({ replicas: 8, ...change }), { status: statusOf(1), generation: 2 });
    const { status, state } = decide({ resource: changed, children: [first], pods: pods(first, 8) });
    expect(state).toEqual({ attempt: 2, lifecycle: 'stopped' });
    expect(status).toMatchObject({ failures: 0, attempts: [{ reason: 'SpecChanged', charged: 0 }] });
    expect(status.nextAttemptAt).toBeUndefined();
  });

  it.each<[string, string | number, boolean]>([
    ['that only writes the same otherwise', 4, false],
    ['by which an earlier release made its Job', '4000m', true],
  ])('never for a spec %s', (_, cpu, isOfEarlier) => {
    const written = specOf({ replicas: 8, resources: { cpu } });
    const owner = job(written);
    const { suspend: __, retry: ___, ...asWritten } = written;
    const annotations = { ...(owner.slice['annotations'] as object), 'trunnion.dev/template': shortHashOf(asWritten) };
    const child = isOfEarlier ? { ...owner, slice: { ...owner.slice, annotations } } : owner;
    const changed = resourceOf(specOf({ replicas: 8, resources: { cpu: '4000m' } }), {
      status: statusOf(1),
      generation: 2,
    });
    const { status, state } = decide({ resource: changed, children: [child], pods: pods(child, 8) });
    expect(state).toEqual({ attempt: 1 });
    expect(status.attempts).toBeUndefined();
  });

  it('not where only that of the spec changed which is in no pod', () => {
    const retry = resourceOf(specOf({ replicas: 8, retry: { limit: 3 }, ttlSecondsAfterFinished: 5 }), {
      status: statusOf(1),
    });
    expect(decide({ resource: retry, children: [first], pods: pods(first, 8) }).state).toEqual({ attempt: 1 });
  });

  it('not by what a Job itself stops at its end, nor by what a queue has suspended', () => {
    const leaving = pods(first, 8, { deleting: true, goneBy: START });
    const ending = job(spec, 1, 'worker', { condition: { type: 'SuccessCriteriaMet' } });
    expect(decide({ resource, children: [ending], pods: leaving }).status.attempts).toBeUndefined();
    const queued = specOf({ replicas: 8, queue: 'team-a' });
    const suspended = job(queued, 1, 'worker', { suspended: true });
    const { status } = decide({
      resource: resourceOf(queued, { status: statusOf(1) }),
      children: [suspended],
      pods: leaving,
    });
    expect(status.attempts).toBeUndefined();
    expect(status.phase).toBe('Queued');
  });

  it('with a word on the role, where there are several', () => {
    const mpi = specOf({ framework: 'mpi', replicas: 2, mpi: { sshSecretName: 'key' } });
    const workers = job(mpi, 1, 'worker');
    const launcher = job(mpi, 1, 'launcher');
    const failing = pod(launcher, 0, { ...ended(2), node: 'cpu-0' }, 'launcher');
    const { status } = decide({
      resource: resourceOf(mpi, { status: statusOf(1) }),
      children: [workers, launcher],
      pods: [...pods(workers, 2), failing],
    });
    expect(status.attempts).toMatchObject([{ role: 'launcher', rank: 0, exitCode: 2 }]);
    expect(messageOf(status, 'Restarting')).toMatch(/Rank 0 of role launcher on cpu-0 ended with exit code 2/);
  });
});

describe('the next attempt', () => {
  const between = resourceOf(spec, { status: failedOnce });

  it('waits until no Job and no pod of the one before is left', () => {
    const leaving = { ...first, deleting: true };
    const stopping = pods(first, 1, { deleting: true, goneBy: START + 30 * SECOND });
    for (const rest of [{ children: [leaving] }, { pods: stopping }, { children: [leaving], pods: stopping }]) {
      const { state, status, removePods } = decide({ resource: between, ...rest }, START + 20 * SECOND);
      expect(state).toEqual({ attempt: 2, lifecycle: 'stopped' });
      expect(conditionOf(status, 'Running')).toBe('False Stopping');
      expect(removePods).toBeUndefined();
    }
  });

  it('waits until its pause is over', () => {
    const early = decide({ resource: between }, START + 9 * SECOND);
    expect(early.state.lifecycle).toBe('stopped');
    expect(early.requeueAt).toBe(START + 10 * SECOND);
    expect(conditionOf(early.status, 'Running')).toBe('False BackingOff');
    const due = decide({ resource: between, answers: firstIsGone }, START + 10 * SECOND);
    expect(due.state).toEqual({ attempt: 2 });
  });

  it('takes out by force a pod that is still there a minute after its time, and no other', () => {
    const stuck = pods(first, 2, { deleting: true, goneBy: START + 30 * SECOND });
    const observe = (now: number) => decide({ resource: between, pods: stuck }, now);
    expect(observe(START + 89 * SECOND)).toMatchObject({ requeueAt: START + 90 * SECOND });
    expect(observe(START + 89 * SECOND).removePods).toBeUndefined();
    expect(observe(START + 90 * SECOND).removePods).toEqual(stuck.map(({ name, uid }) => ({ name, uid, force: true })));
  });

  it('deletes pods that their Job left behind, once the garbage collector had its time', () => {
    const orphans = pods(first, 1);
    const observe = (now: number) => decide({ resource: between, pods: orphans }, now).removePods;
    expect(observe(START + 69 * SECOND)).toBeUndefined();
    expect(observe(START + 70 * SECOND)).toEqual([{ name: orphans[0]?.name, uid: orphans[0]?.uid }]);
  });

  it('leaves pods to the garbage collector for as long where a change of the spec stopped them, which has no pause', () => {
    const attempts = [{ number: 1, reason: 'SpecChanged', charged: 0, finishedAt: '2026-01-01T05:00:00Z' }];
    const changed = resourceOf(spec, { status: statusOf(2, { attempts }) });
    const orphans = pods(first, 1);
    const observe = (now: number) =>
      decide({ resource: changed, pods: orphans }, START + 300 * MINUTE + now).removePods;
    expect(observe(59 * SECOND)).toBeUndefined();
    expect(observe(60 * SECOND)).toHaveLength(1);
  });

  it('is not a new one for the pods of an earlier resource of the same name', () => {
    const older = pods(first, 2, { createdAt: START - MINUTE, deleting: true, goneBy: START });
    const { state, status } = decide({ resource: resourceOf(spec), pods: older });
    expect(state).toEqual({ attempt: 1, lifecycle: 'stopped' });
    expect(status.attempts).toBeUndefined();
  });

  it('keeps Restarting until all ranks run again, and says how much of the budget is left', () => {
    const second = job(spec, 2);
    const starting = decide({ resource: between, children: [second], pods: pods(second, 8, { phase: 'Pending' }) });
    expect(starting.status.phase).toBe('Restarting');
    expect(messageOf(starting.status, 'Restarting')).toMatch(/1 of 6 retries are used up/);
    const running = decide({ resource: between, children: [second], pods: pods(second, 8) });
    expect(running.status.phase).toBe('Running');
    expect(conditionOf(running.status, 'Restarting')).toBe('False NotRestarting');
  });

  it('is none once a failure is one too many, also for an operator that has just started', () => {
    const limited = specOf({ replicas: 8, retry: { limit: 1 } });
    const second = job(limited, 2);
    const failing = {
      resource: resourceOf(limited, { status: failedOnce }),
      children: [second],
      pods: butFor(pods(second, 8), 5, ended(1)),
    };
    const { status, state, statusFirst } = decide(failing, START + 11 * MINUTE);
    expect(status).toMatchObject({
      phase: 'Failed',
      failures: 2,
      attempt: 2,
      completionTime: '2026-01-01T00:11:00Z',
      attempts: [{ number: 1 }, { number: 2, reason: 'ProgramFailed' }],
    });
    expect(conditionOf(status, 'Failed')).toBe('True RetryLimitExceeded');
    expect(state).toEqual({ attempt: 2, lifecycle: 'failed' });
    expect(statusFirst).toBe(true);
  });

  it('comes however often a disruption does', () => {
    const none = specOf({ replicas: 8, retry: { limit: 0 } });
    const only = job(none);
    const { status } = decide({
      resource: resourceOf(none, { status: statusOf(1) }),
      children: [only],
      pods: butFor(pods(only, 8), 5, disrupted('PreemptionByScheduler')),
    });
    expect(status).toMatchObject({ phase: 'Restarting', attempt: 2, failures: 0 });
  });

  it('is not begun in a hurry by pods that wait for a node', () => {
    const second = job(spec, 2);
    const pending = pods(second, 8, { phase: 'Pending', containers: [container({ ready: false, started: false })] });
    const { status } = decide({ resource: between, children: [second], pods: pending }, START + 60 * MINUTE);
    expect(status.attempt).toBe(2);
  });
});
