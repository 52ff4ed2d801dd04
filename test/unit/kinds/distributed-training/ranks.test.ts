import { describe, expect, it } from 'vitest';
import { distributedTraining } from '../../../../operator/kinds/distributed-training/index.ts';
import { START, butFor, decide, disrupted, ended, job, pod, pods, resourceOf, specOf, statusOf } from './support.ts';

describe('an elastic training', () => {
  const elastic = specOf({ elastic: { minReplicas: 2, maxReplicas: 8 } });
  const owner = job(elastic);
  const look = (observed: ReturnType<typeof pods>, of = elastic) =>
    decide({ resource: resourceOf(of, { status: statusOf(1) }), children: [owner], pods: observed });

  it('goes on while enough ranks are left, the first among them', () => {
    const gone = disrupted('PreemptionByScheduler');
    expect(look(butFor(butFor(pods(owner), 3, gone), 2, gone)).status.attempts).toBeUndefined();
    const tooFew = butFor(butFor(butFor(pods(owner), 3, gone), 2, gone), 1, gone);
    expect(look(tooFew).status.attempts).toMatchObject([{ reason: 'Preempted', charged: 0 }]);
    expect(look(butFor(pods(owner), 0, gone)).status.attempts).toMatchObject([{ rank: 0 }]);
  });

  it('ends its attempt where a program fails', () => {
    expect(look(butFor(pods(owner), 3, ended(1))).status.attempts).toMatchObject([{ reason: 'ProgramFailed' }]);
  });

  it('is made smaller and larger without a new attempt', () => {
    const smaller = specOf({ replicas: 2, elastic: { minReplicas: 2, maxReplicas: 8 } });
    const leaving = [2, 3].map((rank) => pod(owner, rank, { deleting: true, goneBy: START }));
    const { status, runtime } = look([...pods(owner, 2), ...leaving], smaller);
    expect(status.attempts).toBeUndefined();
    expect(runtime).toEqual({ attempt: 1 });
    const rendered = distributedTraining.render(resourceOf(smaller), runtime).find(({ id }) => id === 'worker');
    expect(rendered?.manifest['spec']).toMatchObject({ completions: 2, parallelism: 2 });
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
