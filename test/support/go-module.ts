import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Where Go has unpacked a module, after fetching it if need be. */
export async function moduleFolder(module: string, version: string): Promise<string> {
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', `${module}@${version}`]);
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}
