import { describe, expect, it } from 'vitest';
import { SECOND, START, butFor, decide, disrupted, job, pods, resourceOf, specOf, statusOf } from './support.ts';

const spec = specOf({ replicas: 8 });
const resource = resourceOf(spec, { status: statusOf(1) });
const first = job(spec, 1);

describe('an attempt ends', () => {
  it('no sooner than its pods tell why, where its Job is known to have failed before they are, unless it lasts', () => {
    const failed = job(spec, 1, 'worker', { condition: { type: 'Failed', reason: 'FailedIndexes' } });
    const early = decide({ resource, children: [failed], pods: pods(first, 8) });
    expect(early.status.attempts ?? []).toEqual([]);
    expect(early.requeueAt).toBe(START + 10 * SECOND);
    const drained = butFor(pods(first, 8), 3, disrupted('EvictionByEvictionAPI'));
    const reported = decide({ resource, children: [failed], pods: drained });
    expect(reported.status.attempts).toMatchObject([{ reason: 'Drained', charged: 0 }]);
    const late = decide({ resource, children: [failed], pods: pods(first, 8) }, START + 10 * SECOND);
    expect(late.status.attempts).toMatchObject([{ reason: 'JobFailed', charged: 1 }]);
  });

  it('with the time at which its Job began to make pods, where none of these is in sight', () => {
    const endOfAttempt = (status: object) => {
      const changed = resourceOf(specOf({ replicas: 8, image: 'torch:2' }), { status: statusOf(1) });
      const children = [{ ...first, slice: { ...first.slice, status } }];
      return decide({ resource: changed, children }, START + 10 * SECOND).status.attempts?.[0];
    };
    const startTime = '2026-01-01T00:00:02Z';
    expect(endOfAttempt({ startTime, active: 8 })).toMatchObject({ reason: 'SpecChanged', startedAt: startTime });
    expect(endOfAttempt({ startTime })).toEqual(expect.not.objectContaining({ startedAt: expect.anything() }));
  });
});
