import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PAUSE_IMAGE } from './layout.ts';

/** Kubernetes' names of architectures, by Node's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Writes the image that holds the namespaces of pods, as a docker-archive: one file from scratch.
 *
 * @param program - the pause program, which is linked to nothing
 */
export function writePauseImage(program: string, file: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-pause-'));
  try {
    const [root, image] = [join(folder, 'root'), join(folder, 'image')];
    for (const each of [root, image]) mkdirSync(each);
    copyFileSync(program, join(root, 'pause'));
    tar(root, join(image, 'layer.tar'));
    const layer = createHash('sha256')
      .update(readFileSync(join(image, 'layer.tar')))
      .digest('hex');
    const config = {
      architecture: ARCHITECTURES[process.arch] ?? process.arch,
      os: 'linux',
      config: { Entrypoint: ['/pause'], User: '65535:65535' },
      rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
    };
    writeFileSync(join(image, 'config.json'), JSON.stringify(config));
    const manifest = [{ Config: 'config.json', RepoTags: [PAUSE_IMAGE], Layers: ['layer.tar'] }];
    writeFileSync(join(image, 'manifest.json'), JSON.stringify(manifest));
    tar(image, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const tar = (folder: string, file: string): void =>
  void execFileSync('tar', ['--owner=0', '--group=0', '--mode=u=rwX,go=rX', '-C', folder, '-cf', file, '.']);
