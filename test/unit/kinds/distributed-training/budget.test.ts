import { describe, expect, it } from 'vitest';
import type { ObservedChild } from '../../../../operator/engine/api/observed.ts';
import { MINUTE, START, decide, failedOnce, job, pods, resourceOf, specOf } from './support.ts';

const spec = specOf({ replicas: 8 });
const first = job(spec);
const between = resourceOf(spec, { status: failedOnce });

describe('the next attempt', () => {
  const budget = (attempt: number) => ({
    ...first,
    kind: 'PodDisruptionBudget',
    name: `resnet-attempt-${attempt}`,
    slice: {},
  });

  it('runs on where its budget is there, though the watch of Jobs still tells of the attempt before', () => {
    const observe = (...children: readonly ObservedChild[]) =>
      decide({ resource: between, children: [first, ...children], pods: pods(first, 8) }, START + MINUTE);
    expect(observe(budget(2)).state).toEqual({ attempt: 2 });
    expect(observe().state.lifecycle).toBe('stopped');
    expect(observe(budget(1)).state.lifecycle).toBe('stopped');
    expect(observe({ ...budget(2), deleting: true }).state.lifecycle).toBe('stopped');
    expect(observe({ ...budget(2), ownerUid: 'uid-of-an-earlier-resnet' }).state.lifecycle).toBe('stopped');
  });
});
