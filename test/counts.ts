/** How many tests passed, and how many did not. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** The part of vitest's JSON report that is counted. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/**
 * Counts one part of the suite.
 *
 * @param report - vitest's JSON report; absent where vitest died before it wrote one
 * @param succeeded - whether vitest ended with exit code 0
 */
export function count(report: string | undefined, succeeded: boolean): Counts {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults }: Report = JSON.parse(report);
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = numFailedTests + brokenFiles;
  // An error outside of any test (an unhandled rejection, a teardown) or an empty part shows in the exit code alone.
  const unexplained = failed === 0 && (!succeeded || numPassedTests === 0);
  return { passed: numPassedTests, failed: unexplained ? 1 : failed };
}

/** Adds up the parts. */
export function sum(parts: readonly Counts[]): Counts {
  return {
    passed: parts.reduce((total, part) => total + part.passed, 0),
    failed: parts.reduce((total, part) => total + part.failed, 0),
  };
}
