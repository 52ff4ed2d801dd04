/**
 * `npm test`: every part of the suite (see parts.ts), then a table of them, a line for each failure, and one closing line,
 * `N passed, N failed`. With `--all`, those parts as well that measure, and those that build other projects first.
 *
 * A part that dies, a file that fails to load and a part without a single test count as failures: silence is no success.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { count, sum } from './counts.ts';
import { rows, type Row } from './parts.ts';
import { ended, table, type Run } from './table.ts';

/** Runs what a row has at the same time, each lane from its first part to its last. */
async function runRow(row: Row, folder: string): Promise<readonly Run[]> {
  const isAlone = row.length === 1;
  const lanes = row.map(async (parts) => {
    const runs: Run[] = [];
    for (const part of parts) runs.push(await runPart(part, folder, isAlone));
    return runs;
  });
  return (await Promise.all(lanes)).flat();
}

async function runPart(part: string, folder: string, isAlone: boolean): Promise<Run> {
  const began = performance.now();
  const report = join(folder, `${part}.json`);
  const child = spawn(
    'vitest',
    ['run', '--project', part, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { stdio: ['ignore', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'] },
  );
  for (const output of [child.stdout, child.stderr]) {
    if (output !== null) createInterface(output).on('line', (line) => console.log(`${part} | ${line}`));
  }
  const [code] = (await once(child, 'close').catch(() => [undefined])) as readonly [unknown];
  const run = { part, ...count(part, readReport(report), code === 0), minutes: minutesSince(began) };
  console.log(ended(run));
  return run;
}

function readReport(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const minutesSince = (began: number): number => (performance.now() - began) / 60_000;

const began = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'trunnion-test-'));
try {
  const isAll = process.argv.includes('--all');
  const runs: Run[] = [];
  for (const row of rows(isAll)) runs.push(...(await runRow(row, folder)));
  console.log(table(runs, minutesSince(began)));
  const { passed, failures } = sum(runs);
  for (const failure of failures) console.log(`failed: ${failure}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
