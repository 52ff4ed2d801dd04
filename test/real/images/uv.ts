import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../../cluster/binaries.ts';

const execute = promisify(execFile);

/** The version that is installed where there is none. */
const OWN = join(import.meta.dirname, 'python/uv/requirements.txt');

/** The Python of Debian bookworm, whatever this machine has. */
export const PYTHON = '3.11';

/** Debian bookworm has glibc 2.36. */
const PLATFORM = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-manylinux_2_36`;

/**
 * Installs packages into a folder, as the file pins them and their hashes. Only wheels: nothing is built, so the machine's
 * own Python doesn't matter.
 */
export async function installPackages(requirements: string, folder: string): Promise<void> {
  const args = ['--require-hashes', '--no-deps', '--only-binary', ':all:', '--python-version', PYTHON];
  await execute(
    await findUv(),
    ['pip', 'install', '--quiet', ...args, '--python-platform', PLATFORM, '--target', folder, '-r', requirements],
    { maxBuffer: 2 ** 26 },
  );
  // They name the Python of this machine.
  rmSync(join(folder, 'bin'), { recursive: true, force: true });
}

/** @throws where it can't be installed, with what to do */
async function findUv(): Promise<string> {
  if ((await execute('uv', ['--version']).catch(() => undefined)) !== undefined) return 'uv';
  const hash = createHash('sha256').update(readFileSync(OWN)).digest('hex').slice(0, 16);
  const folder = join(cacheFolder(), 'uv', hash);
  const program = join(folder, 'bin/uv');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--require-hashes', '--no-deps', '--upgrade'];
  try {
    await execute('python3', [...pip, '--target', folder, '-r', OWN]);
  } catch (cause) {
    throw new Error(
      'uv is not on PATH, and python3 -m pip could not install it. Install pip: apt-get install python3-pip',
      { cause },
    );
  }
  return program;
}
