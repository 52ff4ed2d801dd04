import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../scripts/image/bundle.ts';

/** The program as it ships: what its image runs. From its sources it takes memory that no user's operator takes. */
export interface Build {
  readonly program: string;
  /** What was asked for beside it, by its name. */
  file(name: string): string;
  remove(): void;
}

/** @param more - other programs that are built beside it, by their names */
export async function build(more: Readonly<Record<string, string>> = {}): Promise<Build> {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-build-'));
  await bundle(join(folder, 'bin'), more);
  const file = (name: string) => join(folder, 'bin', `${name}.js`);
  // Which tells it its version.
  copyFileSync('package.json', join(folder, 'package.json'));
  return {
    program: file('operator'),
    file,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
