import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-runner-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program in vitest's place: the part `faults` dies, and each other one has two tests that pass. */
writeFileSync(
  join(folder, 'vitest'),
  `#!/bin/sh
echo "hello from $3"
test "$3" = faults && exit 1
for argument; do file="\${argument#--outputFile.json=}"; done
echo '{"numPassedTests":2,"testResults":[]}' > "$file"
`,
);
chmodSync(join(folder, 'vitest'), 0o755);

const runAll = (...args: readonly string[]) =>
  run(process.execPath, ['test/run.ts', ...args], {
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` },
  });

test('npm test runs each part, tells how each went, and ends with what passed and failed', async () => {
  const { code, stdout } = await runAll();
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toContain('hello from unit');
  expect(lines).toContain('pulumi | hello from pulumi');
  expect(lines).toContain('faults: 0 passed, 1 failed, 0.0 minutes');
  expect(lines.slice(lines.findIndex((line) => line.startsWith('part')))).toEqual([
    'part        passed  failed  minutes',
    ...['unit', 'cluster', 'leadership', 'package', 'browser'].map(
      (part) => `${part.padEnd(10)}       2       0      0.0`,
    ),
    'pulumi           2       0      0.0',
    'faults           0       1      0.0',
    'all             12       1      0.0',
    'failed: faults: died before it reported',
    '12 passed, 1 failed',
  ]);
  expect(code).toBe(1);
});

test('with --all it runs what takes long as well', async () => {
  const { stdout } = await runAll('--all');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('30 passed, 1 failed');
});
