import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../scripts/image/bundle.ts';

/** The program as it ships: what its image runs. From its sources it takes memory that no user's operator takes. */
export interface Build {
  readonly program: string;
  remove(): void;
}

export async function build(): Promise<Build> {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-build-'));
  await bundle(join(folder, 'bin'));
  // Which tells it its version.
  copyFileSync('package.json', join(folder, 'package.json'));
  return {
    program: join(folder, 'bin/operator.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
