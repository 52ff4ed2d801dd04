import { expect, test } from 'vitest';
import { rolloutInWords } from '../../../../operator/kinds/shared/rollout.ts';

test.for([
  [2, 1, 3, '1 of 2 replicas are of the newest template; 2 of an earlier one run until replaced.'],
  [2, 2, 3, '2 of 2 replicas are of the newest template; 1 of an earlier one runs until replaced.'],
  [2, 2, 2, '2 of 2 replicas are of the newest template.'],
  [2, 3, 3, '3 replicas run, and 2 are wanted: the others are being stopped.'],
  [1, 0, 1, '0 of 1 replicas are of the newest template; 1 of an earlier one runs until replaced.'],
] as const)('of %i wanted, %i new and %i in all', ([desired, updated, replicas, words]) => {
  expect(rolloutInWords({ desired, updated, replicas })).toBe(words);
});
