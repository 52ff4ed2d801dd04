import { packageVersion } from '../../cli/package.ts';
import { architecture } from '../../cluster/index.ts';
import { writeOperatorImage } from './operator.ts';
import { writeRoot } from './root.ts';

/**
 * Builds the operator's image from scratch, without a Docker daemon and without a registry. `--root FOLDER` writes its root
 * file system alone, for the Containerfile.
 */
const [flag, folder] = process.argv.slice(2);
if (flag === '--root' && folder !== undefined) {
  await writeRoot(folder);
} else {
  const file = flag ?? `release/trunnion-operator-${packageVersion()}-${architecture()}.tar`;
  const { unpacked, compressed } = await writeOperatorImage(file);
  const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  console.log(`${file}: ${mebibytes(compressed)} to pull, ${mebibytes(unpacked)} unpacked`);
}
