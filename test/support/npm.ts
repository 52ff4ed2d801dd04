import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** npm, with none of the settings that an npm around us has left in the environment. */
export function npm(args: readonly string[], cwd: string) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)/i.test(name)),
  );
  return promisify(execFile)('npm', [...args], { cwd, env, maxBuffer: 64 * 2 ** 20 });
}
