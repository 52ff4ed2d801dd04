import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { run } from '../../support/run.ts';

/** Runs a program of the user's in their project, and returns what it prints. */
export async function program(project: string, name: string, source: string): Promise<string> {
  writeFileSync(join(project, name), source);
  const { code, stdout, stderr } = await run(process.execPath, [name], { cwd: project });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}
