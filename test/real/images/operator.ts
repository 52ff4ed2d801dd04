import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeImage } from '../../../scripts/image/archive.ts';
import { imageName, OPERATOR } from '../../../scripts/image/config.ts';
import { writeRoot } from '../../../scripts/image/root.ts';

/**
 * Writes the operator's own image, under the name that `trunnion install` gives it.
 *
 * @param file - which is written
 */
export async function writeOperatorImage(file: string): Promise<void> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const root = mkdtempSync(join(tmpdir(), 'trunnion-root-'));
  try {
    await writeRoot(root);
    writeImage(root, imageName(version), file, { ...OPERATOR, compressed: false });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
