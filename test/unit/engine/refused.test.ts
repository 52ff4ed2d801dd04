import { expect, it } from 'vitest';
import type { Widget } from '../../support/widget.ts';
import { refused } from '../../support/decided.ts';

it('a kind that has no words for it says of a spec that can’t work what is wrong, and keeps the rest', () => {
  const other = {
    type: 'Other',
    status: 'True',
    reason: 'Other',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  } as const;
  const before: Widget = {
    apiVersion: 'v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'ns', uid: 'u', resourceVersion: '1', creationTimestamp: '', generation: 4 },
    spec: { message: '' },
    status: { phase: 'Running', retries: 2, observedGeneration: 3, conditions: [other] },
  };
  const wrong = { status: 'False', reason: 'InvalidSpec', message: 'spec.x: no' };
  expect(refused({}, before, 'spec.x: no', { now: 0 })).toEqual({
    phase: 'Running',
    retries: 2,
    observedGeneration: 4,
    conditions: [
      { type: 'Accepted', ...wrong, observedGeneration: 4, lastTransitionTime: '1970-01-01T00:00:00Z' },
      { ...other, observedGeneration: 4 },
      { type: 'Ready', ...wrong, observedGeneration: 4, lastTransitionTime: '1970-01-01T00:00:00Z' },
    ],
  });
});
