import { describe, expect, it, test } from 'vitest';
import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import type { ObservedPod } from '../../../../operator/engine/api/observed.ts';
import {
  START,
  SECOND,
  MINUTE,
  container,
  decide,
  disrupted,
  ended,
  job,
  pod,
  resourceOf,
  conditionOf,
  messageOf,
  specOf,
  statusOf,
} from './support.ts';

const spec = specOf({ replicas: 2 });
const owner = job(spec);
const NOW = START + 2 * MINUTE;

/** Its trainer ended with 0 at START, and a plain container beside it runs on. */
const [trainer = container()] = ended(0, { finishedAt: '2026-01-01T00:00:00Z' }).containers ?? [];
const kept = { phase: 'Running', containers: [trainer, container({ name: 'log' })] };
const done = pod(owner, 1, kept);
const drained = pod(owner, 1, { ...kept, ...disrupted('EvictionByEvictionAPI'), goesSince: START + MINUTE });
const again = pod(owner, 1, {
  name: 'resnet-1-1-again',
  uid: 'again',
  createdAt: START + MINUTE,
  phase: 'Pending',
  annotations: { 'batch.kubernetes.io/job-index-ignored-failure-count': '1' },
});
const first = pod(owner, 0);
const firstDone = pod(owner, 0, ended(0));

/** What the operator decides at last, having seen one after the other what there was. */
function afterAll(
  observations: readonly (readonly ObservedPod[])[],
  { of = spec, jobs = [owner] }: { readonly of?: typeof spec; readonly jobs?: (typeof owner)[] } = {},
) {
  let status: DistributedTrainingStatus = statusOf(1);
  let result = decide({ resource: resourceOf(of, { status }), children: [owner], pods: [] }, NOW);
  for (const [i, pods] of observations.entries()) {
    const children = i === observations.length - 1 ? jobs : [owner];
    result = decide({ resource: resourceOf(of, { status }), children, pods }, NOW + i * SECOND);
    status = result.status;
  }
  return result;
}

describe('a rank that is done, and whose pod is removed while others run', () => {
  it.each<[string, (readonly ObservedPod[])[]]>([
    [
      'goes',
      [
        [first, done],
        [first, drained],
      ],
    ],
    ['is gone', [[first, done], [first, drained], [first]]],
    ['is gone, and nobody saw it go', [[first, done], [first]]],
    ['was created again by its Job', [[first, done], [first, drained], [first], [first, again]]],
    [
      'was created again, and nobody saw it go',
      [
        [first, done],
        [first, again],
      ],
    ],
  ])('stays done, and the others run on: it %s', (_, observations) => {
    const { status, state } = afterAll(observations);
    expect(state).toEqual({ attempt: 1 });
    expect(status.attempts).toBeUndefined();
    expect(conditionOf(status, 'Running')).toBe('True Running');
    expect(status.workerStatuses).toContainEqual({
      rank: 1,
      pod: done.name,
      node: 'gpu-1',
      phase: 'Succeeded',
      exitCode: 0,
    });
  });

  test('is not run again: the pod that its Job makes is taken out', () => {
    const { removePods } = afterAll([[first, done], [first], [first, again]]);
    expect(removePods).toEqual([{ name: again.name, uid: again.uid }]);
  });

  it.each<[string, ObservedPod[]]>([
    ['and its pod is gone', [firstDone]],
    ['and its Job has made it again', [firstDone, again]],
  ])('is as good as any other when they are done too, %s', (_, last) => {
    const { status } = afterAll([[first, done], [first, drained], last]);
    expect(conditionOf(status, 'Complete')).toBe('True Completed');
    expect(status.attempts).toBeUndefined();
  });

  test('is charged to nobody where its Job gives up creating it again, and it is told what helps', () => {
    const failed = job(spec, 1, 'worker', {
      condition: { type: 'Failed', reason: 'FailedIndexes', message: 'index 1' },
    });
    const { status } = afterAll([[first, done], [first], []], { jobs: [failed] });
    expect(status.attempts).toMatchObject([{ rank: 1, node: 'gpu-1', reason: 'RankReplaced', charged: 0 }]);
    expect(status.attempts?.[0]?.message).toContain(
      'Rank 1 on gpu-1 had succeeded, and its pod was removed before its Job counted it.',
    );
    expect(status.attempts?.[0]?.message).toContain('Make it a native sidecar');
    expect(messageOf(status, 'Restarting')).toContain('0 of');
  });

  test('counts by its Job alone where its pod had succeeded: it is not created again', () => {
    const counted = { ...owner, slice: { ...owner.slice, status: { completedIndexes: '1', conditions: [] } } };
    const { status } = afterAll([[first, pod(owner, 1, ended(0))], [first]], { jobs: [counted] });
    expect(conditionOf(status, 'Running')).toBe('True Running');
  });
});

describe('a rank whose pod is removed', () => {
  it.each<[string, (readonly ObservedPod[])[]]>([
    [
      'before it was done',
      [
        [first, pod(owner, 1)],
        [first, again],
      ],
    ],
    ['and that ended with 0 because it was told to stop', [[first, { ...drained, goesSince: START }]]],
  ])('%s ends the attempt, uncharged', (_, observations) => {
    expect(afterAll(observations).status.attempts).toMatchObject([{ rank: 1, charged: 0 }]);
  });

  test('is not taken for done by what the attempt before has told', () => {
    const second = job(spec, 2);
    const reported = [{ rank: 1, pod: done.name, phase: 'Succeeded', exitCode: 0 }];
    const resource = resourceOf(spec, { status: statusOf(2, { workerStatuses: reported }) });
    const { status } = decide({ resource, children: [second], pods: [pod(second, 0)] }, NOW);
    expect(status.workerStatuses).toHaveLength(1);
    expect(conditionOf(status, 'Running')).toMatch(/^False /);
  });
});
