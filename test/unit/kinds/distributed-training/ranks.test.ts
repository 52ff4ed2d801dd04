import { describe, expect, it } from 'vitest';
import { distributedTraining } from '../../../../operator/kinds/distributed-training/index.ts';
import {
  MINUTE,
  START,
  butFor,
  decide,
  disrupted,
  ended,
  job,
  pod,
  pods,
  resourceOf,
  specOf,
  statusOf,
} from './support.ts';

describe('an elastic training', () => {
  const elastic = specOf({ elastic: { minReplicas: 2, maxReplicas: 8 } });
  const owner = job(elastic);
  const observe = (observed: ReturnType<typeof pods>, of = elastic) =>
    decide({ resource: resourceOf(of, { status: statusOf(1) }), children: [owner], pods: observed });

  it('continues without a rank that somebody deletes, whatever its program ends with, and by whatever clock', () => {
    const deleted = {
      ...ended(1, { message: 'got signal: 15', finishedAt: '2026-01-01T00:09:59Z' }),
      deleting: true,
      goesSince: Date.parse('2026-01-01T00:10:00Z'),
      goneBy: START + 11 * MINUTE,
    };
    const { status } = observe(butFor(pods(owner, 8), 2, deleted));
    expect(status.attempts).toBeUndefined();
    expect(status).toMatchObject({ failures: 0, lastDisruption: { rank: 2, reason: 'PodDeleted' } });
  });

  it('continues while enough ranks are left, the first among them', () => {
    const gone = disrupted('PreemptionByScheduler');
    expect(observe(butFor(butFor(pods(owner), 3, gone), 2, gone)).status.attempts).toBeUndefined();
    const tooFew = butFor(butFor(butFor(pods(owner), 3, gone), 2, gone), 1, gone);
    expect(observe(tooFew).status.attempts).toMatchObject([{ reason: 'Preempted', charged: 0 }]);
    expect(observe(butFor(pods(owner), 0, gone)).status.attempts).toMatchObject([{ rank: 0 }]);
  });

  it('ends its attempt where a program fails', () => {
    expect(observe(butFor(pods(owner), 3, ended(1))).status.attempts).toMatchObject([{ reason: 'ProgramFailed' }]);
  });

  it.each([
    ['stopped by its node', { conditions: disrupted('TerminationByKubelet').conditions ?? [] }, {}],
    ['lost by its node, which was started again', {}, { reason: 'ContainerStatusUnknown', finishedAt: '' }],
  ])('continues without a rank that was %s, whatever the exit code of its program', (_, over, end) => {
    const gone = { ...ended(137, end), ...over };
    const { status } = observe(butFor(pods(owner), 3, gone));
    expect(status).toMatchObject({ phase: 'Running', failures: 0, lastDisruption: { rank: 3 } });
    expect(status.attempts).toBeUndefined();
    const failing = observe(butFor(butFor(pods(owner), 3, gone), 2, ended(1))).status;
    expect(failing.attempts, 'what fails for lack of it').toMatchObject([{ rank: 3, charged: 0 }]);
  });

  describe('of which a rank was preempted', () => {
    const gone = butFor(pods(owner), 3, disrupted('PreemptionByScheduler'));
    const seen = observe(gone).status;
    const at = (minutes: number, observed: ReturnType<typeof pods>, status = seen) =>
      decide(
        { resource: resourceOf(elastic, { status }), children: [owner], pods: observed },
        START + minutes * MINUTE,
      );
    const failing = { ...ended(1, { message: 'NCCL error: remote process exited' }), node: 'gpu-1' };

    it('remembers it, in the same words for as long as its pod is there', () => {
      expect(seen.lastDisruption).toEqual({
        rank: 3,
        node: 'gpu-3',
        reason: 'Preempted',
        message: 'Rank 3 on gpu-3 was preempted by a pod of higher priority',
        time: '2026-01-01T00:00:00Z',
      });
      expect(at(1, gone).status).toEqual(seen);
    });

    it.each([
      ['while it goes', gone],
      ['when it is gone', pods(owner, 3)],
      [
        'when its Job has made it again',
        [
          ...pods(owner, 3),
          pod(owner, 3, {
            createdAt: START + MINUTE,
            annotations: { 'batch.kubernetes.io/job-index-ignored-failure-count': '1' },
          }),
        ],
      ],
    ])('does not charge what fails for lack of it %s', (_, observed) => {
      const { status } = at(2, butFor(observed, 1, failing));
      expect(status.failures).toBe(0);
      expect(status.attempts).toMatchObject([
        {
          reason: 'Preempted',
          rank: 3,
          charged: 0,
          message:
            'Rank 3 on gpu-3 was preempted by a pod of higher priority, and for lack of it Rank 1 on gpu-1 ended with exit code 1: NCCL error: remote process exited.',
        },
      ]);
      expect(status.lastDisruption, 'the next attempt has not lost any').toBeUndefined();
    });

    it('does not charge that its Job gives up for it', () => {
      const condition = { type: 'Failed', reason: 'FailedIndexes', message: 'words' };
      const { status } = decide(
        {
          resource: resourceOf(elastic, { status: seen }),
          children: [job(elastic, 1, 'worker', { condition })],
          pods: [],
        },
        START + MINUTE,
      );
      expect(status.failures).toBe(0);
      expect(status.attempts).toMatchObject([
        { reason: 'Preempted', rank: 3, charged: 0, message: expect.stringMatching(/Job resnet-1 failed .*words/) },
      ]);
    });

    it('charges what fails a quarter of an hour after it', () => {
      expect(at(15, butFor(pods(owner, 3), 1, failing)).status.attempts).toMatchObject([
        { reason: 'ProgramFailed', charged: 1 },
      ]);
    });

    it('takes note when the same rank is preempted again', () => {
      const again = at(60, gone).status;
      expect(again.lastDisruption?.time).toBe('2026-01-01T01:00:00Z');
    });

    it('takes note of one that nobody has seen', () => {
      const annotations = { 'batch.kubernetes.io/job-index-failure-count': '1' };
      const again = butFor(pods(owner), 2, { createdAt: START + 5 * MINUTE, annotations });
      expect(at(6, again, statusOf(1)).status.lastDisruption).toMatchObject({ rank: 2, reason: 'RankReplaced' });
      expect(at(6, butFor(again, 1, failing), statusOf(1)).status.attempts).toMatchObject([{ charged: 0 }]);
    });
  });

  it('is made smaller and larger without a new attempt', () => {
    const smaller = specOf({ replicas: 2, elastic: { minReplicas: 2, maxReplicas: 8 } });
    const leaving = [2, 3].map((rank) => pod(owner, rank, { deleting: true, goneBy: START }));
    const { status, state } = observe([...pods(owner, 2), ...leaving], smaller);
    expect(status.attempts).toBeUndefined();
    expect(state).toEqual({ attempt: 1 });
    const rendered = distributedTraining.render(resourceOf(smaller), state).find(({ id }) => id === 'worker');
    expect(rendered?.manifest['spec']).toMatchObject({ completions: 2, parallelism: 2 });
  });
});

describe('a rank whose containers its node no longer finds', () => {
  it.each([false, true])('is lost with its node, and not charged (init container: %s)', (init) => {
    const fixed = specOf();
    const owner = job(fixed);
    const gone = ended(137, { reason: 'ContainerStatusUnknown', finishedAt: '' });
    const containers = (gone.containers ?? []).map((each) => (init ? { ...each, init, name: 'prepare' } : each));
    const { status } = decide({
      resource: resourceOf(fixed, { status: statusOf(1) }),
      children: [owner],
      pods: butFor(pods(owner), 2, { ...gone, containers }),
    });
    expect(status.attempts).toMatchObject([{ reason: 'NodeLost', rank: 2, charged: 0 }]);
  });
});

describe('the lines of workers', () => {
  it('tell failed and slow ranks first, and are never too many', () => {
    const many = specOf({ replicas: 200 });
    const owner = job(many);
    const all = butFor(butFor(pods(owner, 200), 150, { phase: 'Pending' }), 180, { deleting: true, goneBy: START });
    const ending = job(many, 1, 'worker', { condition: { type: 'SuccessCriteriaMet' } });
    const { status } = decide({ resource: resourceOf(many), children: [ending], pods: all });
    expect(status.workerStatuses).toHaveLength(32);
    expect(status.workerStatuses?.slice(0, 3)).toMatchObject([
      { rank: 180, phase: 'Terminating' },
      { rank: 150, phase: 'Pending' },
      { rank: 0, phase: 'Running', node: 'gpu-0', pod: 'resnet-1-0-abcde' },
    ]);
    expect(status).toMatchObject({ replicas: 199, readyReplicas: 198 });
  });
});
