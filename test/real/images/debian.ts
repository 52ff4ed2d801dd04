import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeImageOfLayer } from '../../../cluster/index.ts';
import type { ImageRecipe } from '../../../cluster/index.ts';
import { writeNodeAlone } from '../../../scripts/image/node.ts';
import { cachedImage } from './cache.ts';
import { bootstrap, LEFT_OUT, SUITE } from './mmdebstrap.ts';
import { bundled, install, LIGHT, type ProgramsImage } from './programs.ts';

/** Higher with each change of what this file makes of the same list. */
const BUILDER = 3;

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

/** The same under another name, as a newer release has one. */
export const NEXT_LIGHT_WITH_PYTHON: DebianImage = {
  ...LIGHT_WITH_PYTHON,
  name: 'docker.io/library/trunnion-light-python:next',
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
export const debianImage = (image: DebianImage): Promise<string> => debianImageWith(image, NOTHING);

/** What an image has beside Debian's packages and programs of ours. */
export interface Additions {
  /** All that decides what `write` writes, and the commands; anything that JSON can say. */
  readonly madeFrom: unknown;
  /** Writes into a folder that is copied over the packages. */
  readonly write: (root: string) => void | Promise<void>;
  /** What a shell does in the image's root at last. */
  readonly commands: readonly string[];
}

const NOTHING: Additions = { madeFrom: [], write: () => undefined, commands: [] };

/** The same with more in it. */
export async function debianImageWith(image: DebianImage, additions: Additions): Promise<string> {
  const packages = image.packages.toSorted();
  const recipe = recipeOf(image);
  const texts = image.programs === undefined ? {} : await bundled(image.programs);
  const { madeFrom: more, write } = additions;
  const commands = [...additions.commands, ...userCommands(image)];
  const madeFrom = [BUILDER, SUITE, process.arch, process.version, packages, LEFT_OUT, recipe, texts, more, commands];
  return cachedImage(image.name, madeFrom, async (file) => {
    const layer = `${file}.layer.tar`;
    const added = mkdtempSync(join(tmpdir(), 'trunnion-debian-'));
    try {
      await write(added);
      for (const [name, text] of Object.entries(texts)) install(added, name, text);
      // Debian has the libraries that it is linked to.
      if (image.programs !== undefined) writeNodeAlone(added);
      await bootstrap(layer, { packages, added, commands });
      await writeImageOfLayer(layer, image.name, file, recipe);
    } finally {
      for (const each of [layer, added]) rmSync(each, { recursive: true, force: true });
    }
  });
}

const userCommands = ({ user }: DebianImage): readonly string[] =>
  user === undefined ? [] : [`useradd --create-home --uid ${user.id} ${user.name}`];

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
