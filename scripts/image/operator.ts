import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageVersion } from '../../cli/package.ts';
import { type ImageRecipe, type ImageSize, writeImage } from '../../cluster/index.ts';
import { imageName, OPERATOR } from './config.ts';
import { writeRoot } from './root.ts';

/**
 * Writes the operator's image, under the name that `trunnion install` gives it.
 *
 * @param file - which is written; its folder is made
 * @param version - which it has, in its name as well: a test upgrades to one that is no release
 */
export async function writeOperatorImage(
  file: string,
  recipe: ImageRecipe = OPERATOR,
  version: string = packageVersion(),
): Promise<ImageSize> {
  const root = mkdtempSync(join(tmpdir(), 'trunnion-root-'));
  try {
    await writeRoot(root, version);
    mkdirSync(dirname(file), { recursive: true });
    return await writeImage(root, imageName(version), file, recipe);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
