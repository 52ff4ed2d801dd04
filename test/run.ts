/**
 * `npm test`: every part of the suite in sequence, then a line for each failure, and one closing line, `N passed, N failed`.
 * With `--all`, those parts as well that measure, and those that build other projects first: Helm, Prometheus, Kueue.
 *
 * A part that dies, a file that fails to load and a part without a single test count as failures: silence is no success.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count, sum, type Counts } from './counts.ts';

const PARTS = ['unit', 'cluster', 'faults', 'leadership', 'pulumi', 'package'];
const LONG_PARTS = ['cost', 'hostile', 'existing', 'install', 'monitoring', 'docs'];

function run(part: string, folder: string): Counts {
  const report = join(folder, `${part}.json`);
  const { status } = spawnSync(
    'vitest',
    ['run', '--project', part, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return count(part, readReport(report), status === 0);
}

function readReport(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'trunnion-test-'));
try {
  const parts = process.argv.includes('--all') ? [...PARTS, ...LONG_PARTS] : PARTS;
  const { passed, failures } = sum(parts.map((part) => run(part, folder)));
  for (const failure of failures) console.log(`failed: ${failure}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
