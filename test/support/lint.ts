import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Ended, run } from './run.ts';

/** Lints one file in a project that has our rules and nothing else. */
export async function lint(file: string, source: string): Promise<Ended> {
  const project = mkdtempSync(join(tmpdir(), 'trunnion-lint-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  copyFileSync('.oxlintrc.json', join(project, '.oxlintrc.json'));
  cpSync('scripts/lint', join(project, 'scripts/lint'), { recursive: true });
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), source);
  return run('oxlint', [file], { cwd: project });
}
