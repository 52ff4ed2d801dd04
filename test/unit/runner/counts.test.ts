import { expect, test } from 'vitest';
import { count, sum } from '../../counts.ts';

const report = (passed: number, files: readonly object[] = []): string =>
  JSON.stringify({ numPassedTests: passed, testResults: files });

const passing = { status: 'passed', fullName: 'a queue is fair' };
const failing = { status: 'failed', fullName: 'a queue loses nothing', failureMessages: ['expected 1 to be 2\n  at'] };

test('passed tests are counted, and failed ones named with what they said', () => {
  const file = { name: 'queue.test.ts', status: 'failed', message: '', assertionResults: [passing, failing] };
  expect(count('unit', report(1, [file]), false)).toEqual({
    passed: 1,
    failures: ['unit: queue.test.ts: a queue loses nothing: expected 1 to be 2'],
  });
});

test('a file that fails to load counts as a failure', () => {
  const file = { name: 'queue.test.ts', status: 'failed', message: 'no such module\n  at', assertionResults: [] };
  expect(count('unit', report(3, [file]), false)).toEqual({
    passed: 3,
    failures: ['unit: queue.test.ts: no such module'],
  });
});

test('a file whose tests pass and whose hook fails counts as a failure', () => {
  const file = { name: 'queue.test.ts', status: 'failed', message: 'no server', assertionResults: [passing] };
  expect(count('unit', report(1, [file]), false).failures).toEqual(['unit: queue.test.ts: no server']);
});

test.each([
  ['a part that dies before it reports', undefined, false, 'unit: died before it reported'],
  ['an error outside of any test', report(3), false, 'unit: an error outside of any test'],
  ['a part without a test', report(0), true, 'unit: has no test'],
])('%s counts as a failure', (_, text, succeeded, failure) => {
  expect(count('unit', text, succeeded).failures).toEqual([failure]);
});

test('the parts add up', () => {
  expect(
    sum([
      { passed: 2, failures: [] },
      { passed: 3, failures: ['unit: has no test'] },
    ]),
  ).toEqual({ passed: 5, failures: ['unit: has no test'] });
});
