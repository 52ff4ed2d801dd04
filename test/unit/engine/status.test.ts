import { describe, expect, it } from 'vitest';
import type { CommonStatus, Condition, Resource } from '../../../operator/engine/api/kind.ts';
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
    expect(finishStatus(resource(), { phase: 'Running' })).toEqual({ phase: 'Running', observedGeneration: 4 });
  });

  it('keeps the time of transition of a condition whose status is the same, and only of that', () => {
    const before = { conditions: [condition(), condition({ type: 'Accepted' })] };
    const later = '2026-01-02T00:00:00Z';
    const after = [
      condition({ reason: 'Other', lastTransitionTime: later }),
      condition({ type: 'Accepted', status: 'False', lastTransitionTime: later }),
      condition({ type: 'New', lastTransitionTime: later }),
    ];
    const times = finishStatus(resource(before), { conditions: after }).conditions?.map(
      (one) => one.lastTransitionTime,
    );
    expect(times).toEqual(['2026-01-01T00:00:00Z', later, later]);
  });

  it('is written where the server has the same, in whatever order and whether absent or undefined', () => {
    const live = resource({ observedGeneration: 4, phase: 'Running' });
    const status = { phase: 'Running', endpoint: undefined };
    expect(isWritten(live, finishStatus(live, status))).toBe(true);
    expect(isWritten(live, finishStatus(live, { ...status, phase: 'Failed' }))).toBe(false);
    expect(isWritten(resource(), finishStatus(resource(), {}))).toBe(false);
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
