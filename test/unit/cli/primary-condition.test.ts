import { expect, test } from 'vitest';
import { primaryCondition } from '../../../cli/status/primary-condition.ts';
import type { Condition } from '../../../operator/engine/api/resource.ts';

const condition = (type: string, status: Condition['status']): Condition => ({
  type,
  status,
  reason: type,
  message: '',
  lastTransitionTime: '',
});

test.each([
  ['none', [], undefined],
  ['Ready, where there is one', [condition('Accepted', 'True'), condition('Ready', 'False')], 'Ready'],
  ['Stalled before it', [condition('Ready', 'Unknown'), condition('Stalled', 'True')], 'Stalled'],
  [
    'what holds of one that only runs to its end',
    [condition('Accepted', 'True'), condition('Complete', 'True')],
    'Complete',
  ],
  ['what keeps it from running', [condition('Accepted', 'True'), condition('Running', 'False')], 'Running'],
  ['what is wrong with its spec', [condition('Accepted', 'False')], 'Accepted'],
])('the condition that tells most is %s', (_, conditions, type) => {
  expect(primaryCondition(conditions)?.type).toBe(type);
});
