import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { write as writeFile } from '../../../scripts/image/node.ts';
import { type Additions, type DebianImage, debianImageWith } from './debian.ts';
import { installPackages, PYTHON } from './uv.ts';

/** Higher with each change of what this file makes of the same list. */
const BUILDER = 1;

/** On the path of Debian's Python, without a variable of the environment. */
const SITE = `usr/local/lib/python${PYTHON}/dist-packages`;

/** An image of Debian's packages, python3 among them, and packages of Python. */
export interface PythonImage extends DebianImage {
  /** The folder of `requirements.txt`, in `python/`. */
  readonly requirements: string;
  /**
   * What is done to the packages once they are installed.
   *
   * @default - nothing
   */
  readonly adapt?: {
    /** Higher with each change of what it does. */
    readonly version: number;
    readonly packages: (site: string) => void | Promise<void>;
  };
  /**
   * Programs in Python, by their names on PATH.
   *
   * @default - none
   */
  readonly scripts?: Readonly<Record<string, string>>;
}

/** The file of the image, from the cache if the requirements are the same. The first time takes minutes, and 10 GB of disk meanwhile. */
export async function pythonImage(image: PythonImage): Promise<string> {
  const requirements = join(import.meta.dirname, 'python', image.requirements, 'requirements.txt');
  const { adapt, scripts = {} } = image;
  const additions: Additions = {
    madeFrom: [BUILDER, readFileSync(requirements, 'utf8'), adapt?.version, scripts],
    async write(root) {
      const site = join(root, SITE);
      mkdirSync(site, { recursive: true });
      await installPackages(requirements, site);
      await adapt?.packages(site);
      for (const [name, text] of Object.entries(scripts)) {
        writeFile(root, `usr/local/lib/scripts/${name}.py`, `#!/usr/bin/python3\n${text}`);
      }
    },
    commands: [
      ...Object.keys(scripts).map(
        (name) => `install -D -m 0755 /usr/local/lib/scripts/${name}.py /usr/local/bin/${name}`,
      ),
      // A container's user may not write there, so each process would compile for itself. Some packages have files that
      // are no Python, which is no reason to stop.
      `sh -c 'python3 -m compileall -q -j 0 --invalidation-mode unchecked-hash /${SITE} >/dev/null || true'`,
    ],
  };
  const packages = [...new Set(['python3', ...image.packages])];
  return debianImageWith({ ...image, packages }, additions);
}
