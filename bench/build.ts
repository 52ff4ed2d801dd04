import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The program as it ships: types that are stripped as it starts would take memory that no user's operator takes. */
export interface Build {
  readonly program: string;
  remove(): void;
}

export function build(): Build {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-build-'));
  execFileSync('tsc', ['-p', 'tsconfig.build.json', '--outDir', join(folder, 'dist')]);
  copyFileSync('package.json', join(folder, 'package.json'));
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  return {
    program: join(folder, 'dist/cli/main.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
