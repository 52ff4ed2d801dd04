import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../cluster/binaries.ts';

const execute = promisify(execFile);

/**
 * The folder of a Python that has the packages of a file, which pins them and their hashes: an environment of its own,
 * made once. Nothing is built: it takes wheels alone.
 *
 * @throws where it can't be made, with what to install
 */
export async function pythonWith(requirements: string, log: (line: string) => void): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const environment = join(cacheFolder(), 'python', hash);
  const bin = join(environment, 'bin');
  // Its programs name its folder, so it can't be made elsewhere and moved here once it is whole.
  const whole = join(environment, 'whole');
  if (existsSync(whole)) return bin;
  log(`installing ${requirements} for Python: once, half a minute`);
  rmSync(environment, { recursive: true, force: true });
  mkdirSync(dirname(environment), { recursive: true });
  try {
    await execute('python3', ['-m', 'venv', environment]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--require-hashes', '--no-deps', '--only-binary', ':all:'];
    await execute(join(bin, 'python'), [...pip, '-r', requirements], { maxBuffer: 2 ** 26 });
  } catch (cause) {
    throw new Error(
      `python3 could not install ${requirements}: it takes Python 3.10 or newer, apt-get install python3-venv`,
      {
        cause,
      },
    );
  }
  writeFileSync(whole, '');
  return bin;
}
