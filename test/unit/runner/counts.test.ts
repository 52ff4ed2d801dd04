import { expect, test } from 'vitest';
import { count, sum } from '../../counts.ts';

const report = (passed: number, failed: number, files: readonly object[] = []): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults: files });

test('passed and failed tests are counted', () => {
  const file = { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] };
  expect(count(report(1, 1, [file]), false)).toEqual({ passed: 1, failed: 1 });
});

test('a file that fails to load counts as a failure', () => {
  expect(count(report(3, 0, [{ status: 'failed', assertionResults: [] }]), false)).toEqual({ passed: 3, failed: 1 });
});

test('a part that dies before it reports counts as a failure', () => {
  expect(count(undefined, false)).toEqual({ passed: 0, failed: 1 });
});

test('an error outside of any test counts as a failure', () => {
  expect(count(report(3, 0), false)).toEqual({ passed: 3, failed: 1 });
});

test('a part without a test counts as a failure', () => {
  expect(count(report(0, 0), true)).toEqual({ passed: 0, failed: 1 });
});

test('the parts add up', () => {
  expect(
    sum([
      { passed: 2, failed: 0 },
      { passed: 3, failed: 1 },
    ]),
  ).toEqual({ passed: 5, failed: 1 });
});
