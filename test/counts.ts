import { relative } from 'node:path';

/** How many tests of a part of the suite passed, and what did not. */
export interface Counts {
  readonly passed: number;
  /** What failed: a line each, with the file and the test, and the first line of what was said. */
  readonly failures: readonly string[];
}

/** The part of vitest's JSON report that is counted. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

const firstLine = (text = ''): string => text.split('\n', 1)[0] as string;

/**
 * Counts one part of the suite.
 *
 * @param report - vitest's JSON report; absent where vitest died before it wrote one
 * @param succeeded - whether vitest ended with exit code 0
 */
export function count(part: string, report: string | undefined, succeeded: boolean): Counts {
  if (report === undefined) return { passed: 0, failures: [`${part}: died before it reported`] };
  const { numPassedTests: passed, testResults }: Report = JSON.parse(report);
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = `${part}: ${relative(process.cwd(), name)}`;
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${file}: ${firstLine(message)}`];
    return failed.map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`);
  });
  // An error outside of any test (an unhandled rejection, a teardown) shows in the exit code alone.
  if (failures.length === 0 && !succeeded) failures.push(`${part}: an error outside of any test`);
  if (failures.length === 0 && passed === 0) failures.push(`${part}: has no test`);
  return { passed, failures };
}

/** Adds up the parts. */
export function sum(parts: readonly Counts[]): Counts {
  return {
    passed: parts.reduce((total, part) => total + part.passed, 0),
    failures: parts.flatMap((part) => part.failures),
  };
}
