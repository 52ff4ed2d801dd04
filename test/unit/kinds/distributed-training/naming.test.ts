import { describe, expect, test } from 'vitest';
import { decide, job, pods, resourceOf, specOf, statusOf } from './support.ts';

const spec = specOf();
const owner = job(spec);

/** A training with names of an earlier operator, as its annotation says. */
function named(naming: string) {
  const resource = resourceOf(spec, { status: statusOf(1) });
  return { ...resource, metadata: { ...resource.metadata, annotations: { 'trunnion.dev/naming': naming } } };
}

const reported = (naming: string, over: object = {}, ranks: number = 4) =>
  decide({ resource: named(naming), children: [owner], pods: pods(owner, ranks, over) }).markPods;

describe('the ranks of a training whose users know a master and workers', () => {
  test('are told their role, the first as the master, and may start then', () => {
    expect(reported('MLTrainingJob')?.map(({ labels, gate }) => [labels['role'], gate])).toEqual([
      ['master', 'trunnion.dev/role'],
      ['worker', 'trunnion.dev/role'],
      ['worker', 'trunnion.dev/role'],
      ['worker', 'trunnion.dev/role'],
    ]);
  });

  test('are reported once', () => {
    const [first] = pods(owner);
    expect(reported('MLTrainingJob', { labels: { ...first?.labels, role: 'master' } })).toBeUndefined();
  });

  test('are not told where they are on their way out', () => {
    expect(reported('MLTrainingJob', { deleting: true })).toBeUndefined();
  });
});

test('no other training touches its pods', () => {
  const result = decide({
    resource: resourceOf(spec, { status: statusOf(1) }),
    children: [owner],
    pods: pods(owner),
  });
  expect(result.markPods).toBeUndefined();
});

test('unknown names are refused, with those that there are', () => {
  expect(() => reported('Another')).toThrow(
    'metadata.annotations[trunnion.dev/naming]: must be one of ModelDeployment, MLTrainingJob, AIAgent, or be left out (got "Another")',
  );
});
