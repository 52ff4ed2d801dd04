import { describe, expect, it } from 'vitest';
import { amendStatus } from '../../../operator/engine/api/conditions.ts';
import type { CommonStatus, Condition, Resource } from '../../../operator/engine/api/resource.ts';
import { finishStatus, isWritten, phaseEvent } from '../../../operator/engine/reconcile/status.ts';

const resource = (status?: CommonStatus): Resource => ({
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'ns', uid: 'u', resourceVersion: '1', creationTimestamp: '', generation: 4 },
  spec: {},
  ...(status !== undefined && { status }),
});

const condition = (over: Partial<Condition> = {}): Condition => ({
  type: 'Ready',
  status: 'True',
  reason: 'Up',
  message: 'All is well.',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  ...over,
});

describe('a finished status', () => {
  it('is about the generation that it was decided on', () => {
    expect(finishStatus(resource(), { status: { phase: 'Running' }, conditions: [] }, 0)).toEqual({
      phase: 'Running',
      observedGeneration: 4,
    });
  });

  it('keeps the time of transition of a condition whose status is the same, and only of that', () => {
    const before = { conditions: [condition(), condition({ type: 'Accepted' })] };
    const later = '2026-01-02T00:00:00Z';
    const after = [
      condition({ reason: 'Other' }),
      condition({ type: 'Accepted', status: 'False' }),
      condition({ type: 'New' }),
    ];
    const { conditions } = finishStatus(resource(before), { status: {}, conditions: after }, Date.parse(later));
    const times = conditions?.map((one) => one.lastTransitionTime);
    expect(times).toEqual(['2026-01-01T00:00:00Z', later, later]);
  });

  it('is written where the server has the same, in whatever order and whether absent or undefined', () => {
    const live = resource({ observedGeneration: 4, phase: 'Running' });
    const finished = (of: Resource, status: object) => finishStatus(of, { status, conditions: [] }, 0);
    const status = { phase: 'Running', endpoint: undefined };
    expect(isWritten(live, finished(live, status))).toBe(true);
    expect(isWritten(live, finished(live, { ...status, phase: 'Failed' }))).toBe(false);
    expect(isWritten(resource(), finished(resource(), {}))).toBe(false);
  });
});

describe('a field of when the status was last changed', () => {
  const first = Date.parse('2026-01-01T00:00:00Z');
  const finished = (before: CommonStatus | undefined, phase: string, conditions: readonly Condition[], now: number) =>
    finishStatus(resource(before), { status: { phase }, conditions }, now, 'updatedAt');

  it('stays while nothing else of it changes', () => {
    const before = finished(undefined, 'Running', [condition()], first);
    expect(before).toMatchObject({ updatedAt: '2026-01-01T00:00:00Z' });
    expect(finished(before, 'Running', [condition()], first + 60_000)).toEqual(before);
  });

  it.each([
    ['a field', 'Failed', [condition()]],
    ['the words of a condition', 'Running', [condition({ message: 'Other.' })]],
  ])('is the time at which %s changed', (_, phase, conditions) => {
    const before = finished(undefined, 'Running', [condition()], first);
    expect(finished(before, phase, conditions, first + 60_000)).toMatchObject({ updatedAt: '2026-01-01T00:01:00Z' });
  });
});

describe('a status to which the engine adds a condition', () => {
  it('is otherwise as it was, with the generations of its other conditions', () => {
    const other = condition({ observedGeneration: 3 });
    const before = { phase: 'Running', observedGeneration: 3, conditions: [condition({ type: 'Stalled' }), other] };
    const amended = amendStatus(resource(before), [condition({ type: 'Stalled', status: 'False' })], 1_000);
    expect(amended).toEqual({
      phase: 'Running',
      observedGeneration: 3,
      conditions: [
        other,
        condition({
          type: 'Stalled',
          status: 'False',
          observedGeneration: 4,
          lastTransitionTime: '1970-01-01T00:00:01Z',
        }),
      ],
    });
  });
});

describe('the event of a change of phase', () => {
  const running = { phase: 'Running', conditions: [condition()] };

  it('says what the condition Ready says', () => {
    expect(phaseEvent({ phase: 'Deploying' }, running)).toEqual({
      type: 'Normal',
      reason: 'Running',
      action: 'Reconcile',
      message: 'All is well.',
    });
  });

  it('is a warning, in the words of what was not accepted, where it failed', () => {
    const accepted = condition({ type: 'Accepted', status: 'False', message: 'spec.a: must be b' });
    const failed = { phase: 'Failed', conditions: [condition(), accepted] };
    expect(phaseEvent(running, failed)).toMatchObject({ type: 'Warning', message: 'spec.a: must be b' });
    expect(phaseEvent(undefined, failed)).toMatchObject({ type: 'Warning' });
  });

  it('is none where the phase is the same, or the first', () => {
    expect(phaseEvent(running, running)).toBeUndefined();
    expect(phaseEvent(undefined, { phase: 'Pending' })).toBeUndefined();
    expect(phaseEvent(running, {})).toBeUndefined();
  });

  it('has a message even where no condition says anything', () => {
    expect(phaseEvent(running, { phase: 'Updating' })?.message).toBe('The phase is Updating.');
  });
});
