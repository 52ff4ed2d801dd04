import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';

export const SUITE = 'bookworm';

/** Nobody reads these in a container. */
export const LEFT_OUT = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*'];

/** A root file system of Debian's packages, and more. */
export interface DebianRoot {
  /** Beside what apt itself needs. */
  readonly packages: readonly string[];
  /** A folder whose content is copied over it. */
  readonly added: string;
  /** What a shell does in it at last. */
  readonly commands?: readonly string[];
}

/**
 * Writes it as an archive. mmdebstrap does so itself, so that owners and modes (/tmp, sudo) are those of the packages.
 *
 * @param layer - the file
 * @throws without root or mmdebstrap, with what to do
 */
export async function bootstrap(layer: string, { packages, added, commands = [] }: DebianRoot): Promise<void> {
  if (process.getuid?.() !== 0) {
    throw new Error(
      `a base image of Debian's packages is made by root, and this is user ${process.getuid?.()}. Run as root`,
    );
  }
  const mmdebstrap = spawn(
    'mmdebstrap',
    [
      '--variant=minbase',
      '--mode=root',
      '--format=tar',
      // The container runtime has its own /dev.
      '--skip=output/dev',
      ...LEFT_OUT.map((path) => `--dpkgopt=path-exclude=${path}`),
      ...readdirSync(added).map((folder) => `--customize-hook=copy-in ${join(added, folder)} /`),
      ...commands.map((command) => `--customize-hook=chroot "$1" ${command}`),
      ...(packages.length > 0 ? [`--include=${packages.join()}`] : []),
      SUITE,
      layer,
    ],
    // The same each time: the files that it makes are of no time.
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, SOURCE_DATE_EPOCH: '0' } },
  );
  const closed = once(mmdebstrap, 'close');
  try {
    const [stderr, [code]] = await Promise.all([textOf(mmdebstrap.stderr), closed]);
    if (code !== 0) {
      throw new Error(`mmdebstrap ended with ${String(code)}:\n${stderr.trimEnd().split('\n').slice(-20).join('\n')}`);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('mmdebstrap is not on PATH. Install it: apt-get install mmdebstrap', { cause: error });
  }
}
