import { describe, expect, it } from 'vitest';
import { distributedTraining } from '../../../../operator/kinds/distributed-training/index.ts';
import {
  MINUTE,
  SECOND,
  START,
  container,
  decide,
  ended,
  job,
  pods,
  resourceOf,
  conditionOf,
  messageOf,
  specOf,
  statusOf,
} from './support.ts';

const spec = specOf();
const done = job(spec, 1, 'worker', { condition: { type: 'Complete' } });

describe('an end', () => {
  it('that is good is the end of the leading role, and stops the others', () => {
    const mpi = specOf({ framework: 'mpi', replicas: 2, mpi: { sshSecretName: 'key' } });
    const workers = job(mpi, 1, 'worker');
    const launcher = job(mpi, 1, 'launcher', { condition: { type: 'Complete' } });
    const { status, state, statusFirst } = decide(
      { resource: resourceOf(mpi, { status: statusOf(1) }), children: [workers, launcher], pods: pods(workers, 2) },
      START + MINUTE,
    );
    expect(status).toMatchObject({ phase: 'Completed', completionTime: '2026-01-01T00:01:00Z', replicas: 2 });
    expect(state).toEqual({ attempt: 1, lifecycle: 'completed' });
    expect(statusFirst).toBe(true);
    const suspended = distributedTraining
      .render(resourceOf(mpi), state)
      .flatMap(({ id, manifest }) => ((manifest['spec'] as { suspend?: boolean } | undefined)?.suspend ? [id] : []));
    expect(suspended).toEqual(['worker']);
  });

  it('is not looked into again, no matter what happens to its Job and to the spec', () => {
    const { status } = decide({
      resource: resourceOf(spec, { status: statusOf(1) }),
      children: [done],
      pods: pods(done, 4, ended(0)),
    });
    const changed = resourceOf(specOf({ image: 'other:1', suspend: true }), { status, generation: 1 });
    for (const children of [[done], []]) {
      const later = decide({ resource: changed, children }, START + MINUTE);
      expect(later.status).toEqual(status);
      expect(later.state).toEqual({ attempt: 1, lifecycle: children.length > 0 ? 'completed' : 'stopped' });
      expect(later).toMatchObject({ queries: [] });
    }
  });

  it('that is good is told of each rank, also where its pods are seen to end after their Job', () => {
    const resource = resourceOf(spec, { status: statusOf(1) });
    const early = decide({ resource, children: [done], pods: pods(done, 3) }).status;
    expect(early).toMatchObject({ phase: 'Completed', replicas: 3 });
    const over = { resource: resourceOf(spec, { status: early }), children: [done] };
    const seen = decide({ ...over, pods: pods(done, 4, ended(0)) }, START + MINUTE).status;
    expect(seen).toMatchObject({ phase: 'Completed', replicas: 4, readyReplicas: 4 });
    expect(seen?.workerStatuses?.map(({ rank, exitCode }) => [rank, exitCode])).toEqual(
      [0, 1, 2, 3].map((rank) => [rank, 0]),
    );
    const gone = decide({ resource: resourceOf(spec, { status: seen }), children: [done] }, START + MINUTE).status;
    expect(gone).toEqual(seen);
  });

  it('comes with the deadline, over all attempts, counted from the last resume', () => {
    const limited = specOf({ activeDeadlineSeconds: 600 });
    const owner = job(limited, 3);
    const status = statusOf(3, { resumedAt: '2026-01-01T00:00:00Z' });
    const observe = (now: number) =>
      decide({ resource: resourceOf(limited, { status }), children: [owner], pods: pods(owner) }, now);
    expect(observe(START + 599 * SECOND)).toMatchObject({
      status: { phase: 'Running' },
      requeueAt: START + 600 * SECOND,
    });
    const over = observe(START + 600 * SECOND);
    expect(over.status).toMatchObject({ phase: 'Failed', failures: 0 });
    expect(conditionOf(over.status, 'Failed')).toBe('True DeadlineExceeded');
    expect(over.state).toEqual({ attempt: 3, lifecycle: 'failed' });
    const between = decide({ resource: resourceOf(limited, { status }) }, START + 600 * SECOND);
    expect(between.state).toEqual({ attempt: 3, lifecycle: 'stopped' });
  });

  it('comes with the deadline of its Job, which counts for itself', () => {
    const limited = specOf({ activeDeadlineSeconds: 600 });
    const over = job(limited, 1, 'worker', { condition: { type: 'Failed', reason: 'DeadlineExceeded' } });
    const { status } = decide({ resource: resourceOf(limited, { status: statusOf(1) }), children: [over] });
    expect(conditionOf(status, 'Failed')).toBe('True DeadlineExceeded');
  });

  it('names what kept ranks from running, also where its Job has stopped them before', () => {
    const limited = specOf({ activeDeadlineSeconds: 30 });
    const owner = job(limited);
    const { running: _, ...waits } = container({ image: 'torch:typo', ready: false, started: false });
    const waiting = { reason: 'ImagePullBackOff', message: 'not found' };
    const pending = pods(owner, 4, { phase: 'Pending', containers: [{ ...waits, waiting }] });
    const words =
      "It took longer than 30 s, counted from its last resume, and not all ranks ran: The image torch:typo container trainer can't be pulled: not found. Check its name and imagePullSecrets. Then make a new resource.";
    const status = statusOf(1, { resumedAt: '2026-01-01T00:00:00Z' });
    const before = decide({ resource: resourceOf(limited, { status }), children: [owner], pods: pending });
    const late = decide(
      { resource: resourceOf(limited, { status: before.status }), children: [owner], pods: pending },
      START + 30 * SECOND,
    );
    expect(messageOf(late.status, 'Failed')).toBe(words);
    const stopped = job(limited, 1, 'worker', { condition: { type: 'Failed', reason: 'DeadlineExceeded' } });
    const gone = decide({ resource: resourceOf(limited, { status: before.status }), children: [stopped] });
    expect(messageOf(gone.status, 'Failed')).toBe(words);
  });

  it('does not count the time in a queue', () => {
    const queued = specOf({ activeDeadlineSeconds: 600, queue: 'team-a' });
    const held = job(queued, 1, 'worker', { suspended: true });
    const status = statusOf(1, { resumedAt: '2026-01-01T00:00:00Z' });
    const later = decide({ resource: resourceOf(queued, { status }), children: [held] }, START + 3600 * SECOND);
    expect(later.status.phase).toBe('Queued');
    expect(later.status.resumedAt).toBeUndefined();
  });

  it('is followed by that of the resource, when its time is over and its end is in its status', () => {
    const brief = specOf({ ttlSecondsAfterFinished: 60 });
    const complete = job(brief, 1, 'worker', { condition: { type: 'Complete' } });
    const fresh = decide({ resource: resourceOf(brief, { status: statusOf(1) }), children: [complete] }, START);
    expect(fresh.expire).toBeUndefined();
    const observe = (now: number) =>
      decide({ resource: resourceOf(brief, { status: fresh.status }), children: [complete] }, now);
    expect(observe(START + 59 * SECOND)).toMatchObject({ requeueAt: START + MINUTE });
    expect(observe(START + 59 * SECOND).expire).toBeUndefined();
    expect(observe(START + MINUTE).expire).toBe(true);
  });
});
