import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { architecture, writeImage } from './archive.ts';
import { imageName } from './config.ts';
import { writeRoot } from './root.ts';

/**
 * Builds the operator's image from scratch, without a Docker daemon and without a registry. `--root FOLDER` writes its root
 * file system alone, for the Containerfile.
 */
const [flag, folder] = process.argv.slice(2);
if (flag === '--root' && folder !== undefined) {
  await writeRoot(folder);
} else {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const file = flag ?? `release/trunnion-operator-${version}-${architecture()}.tar`;
  const root = mkdtempSync(join(tmpdir(), 'trunnion-root-'));
  try {
    await writeRoot(root);
    mkdirSync(dirname(file), { recursive: true });
    const { unpacked, compressed } = writeImage(root, imageName(version), file);
    const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
    console.log(`${file}: ${mebibytes(compressed)} to pull, ${mebibytes(unpacked)} unpacked`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
