import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeImage } from '../image-archive.ts';
import { PAUSE_IMAGE } from './layout.ts';

/**
 * Writes the image that holds the namespaces of pods: one file from scratch.
 *
 * @param program - the pause program, which is linked to nothing
 */
export async function writePauseImage(program: string, file: string): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'trunnion-pause-'));
  try {
    copyFileSync(program, join(root, 'pause'));
    const config = { Entrypoint: ['/pause'], User: '65535:65535' };
    await writeImage(root, PAUSE_IMAGE, file, { config, createdBy: 'trunnion cluster up', compressed: false });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
