import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { writeImageOfLayer } from '../../../scripts/image/archive.ts';
import type { ImageRecipe } from '../../../scripts/image/config.ts';
import { writeNodeAlone } from '../../../scripts/image/node.ts';
import { cachedImage } from './cache.ts';
import { bundled, install, LIGHT, type ProgramsImage } from './programs.ts';

/** Higher with each change of what this file makes of the same list. */
const BUILDER = 2;

const SUITE = 'bookworm';

/** Nobody reads these in a container. */
const LEFT_OUT = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*'];

/** A base image of Debian's packages. */
export interface DebianImage {
  /** With its tag. */
  readonly name: string;
  /** Beside what apt itself needs. */
  readonly packages: readonly string[];
  /**
   * Programs of ours, as in an image of nothing else, and the Node.js that runs them.
   *
   * @default - none, and no Node.js
   */
  readonly programs?: ProgramsImage['programs'];
  /**
   * A user with a home beside those that Debian has, by name and number: ssh refuses a user without a name.
   *
   * @default - none
   */
  readonly user?: { readonly name: string; readonly id: number };
  readonly env?: Readonly<Record<string, string>>;
}

/** The light engine and the load client beside the Python with which the stop hook of vLLM waits for its requests. */
export const LIGHT_WITH_PYTHON: DebianImage = {
  name: 'docker.io/library/trunnion-light-python:real',
  packages: ['python3'],
  programs: LIGHT.programs,
};

/** Programs with mpi4py on Open MPI, and the OpenSSH by which the launcher reaches the workers. */
export const MPI: DebianImage = {
  name: 'docker.io/library/trunnion-mpi:real',
  packages: ['python3', 'python3-mpi4py', 'openmpi-bin', 'openssh-server', 'openssh-client'],
  user: { name: 'mpi', id: 1000 },
};

/**
 * The file of the image, from the cache if packages and programs are the same: newer packages don't make another one.
 *
 * @throws without root or mmdebstrap, with what to do
 */
export async function debianImage(image: DebianImage): Promise<string> {
  const packages = image.packages.toSorted();
  const recipe = recipeOf(image);
  const texts = image.programs === undefined ? {} : await bundled(image.programs);
  const madeFrom = [
    BUILDER,
    SUITE,
    process.arch,
    process.version,
    packages,
    LEFT_OUT,
    recipe,
    texts,
    ...(image.user ? [image.user] : []),
  ];
  return cachedImage(image.name, madeFrom, async (file) => {
    const layer = `${file}.layer.tar`;
    const ours = mkdtempSync(join(tmpdir(), 'trunnion-debian-'));
    try {
      for (const [name, text] of Object.entries(texts)) install(ours, name, text);
      // Debian has the libraries that it is linked to.
      if (image.programs !== undefined) writeNodeAlone(ours);
      await bootstrap(image, layer, ours);
      writeImageOfLayer(readFileSync(layer), image.name, file, recipe);
    } finally {
      for (const each of [layer, ours]) rmSync(each, { recursive: true, force: true });
    }
  });
}

/** mmdebstrap writes the archive itself, so that owners and modes (/tmp, sudo) are those of the packages. */
async function bootstrap({ packages, user }: DebianImage, layer: string, ours: string): Promise<void> {
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
      ...readdirSync(ours).map((folder) => `--customize-hook=copy-in ${join(ours, folder)} /`),
      ...(user === undefined
        ? []
        : [`--customize-hook=chroot "$1" useradd --create-home --uid ${user.id} ${user.name}`]),
      ...(packages.length > 0 ? [`--include=${packages.toSorted().join()}`] : []),
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

const recipeOf = ({ env = {} }: DebianImage): ImageRecipe => ({
  config: {
    WorkingDir: '/',
    Env: [
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ],
    Labels: {},
  },
  createdBy: 'npm run test:real',
  compressed: false,
});
