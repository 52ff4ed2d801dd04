import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageVersion } from '../../cli/package.ts';
import { fetcherProgram } from '../../fetcher/generate.ts';
import { BUILT_IN_FETCHER } from '../../constructs/parts/weights/index.ts';
import { bundle } from './bundle.ts';
import { write, writeNode } from './node.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Writes the root file system of the image: the Node.js that runs this program, the libraries that it is linked to, and the
 * bundled operator. Nothing else is there, no shell and no package manager.
 */
export async function writeRoot(folder: string, version: string = packageVersion()): Promise<void> {
  writeNode(folder);
  const { name, type }: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  write(folder, 'trunnion/package.json', `${JSON.stringify({ name, version, type })}\n`);
  write(folder, 'trunnion/LICENSE', readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  await bundle(join(folder, 'trunnion/bin'));
  // Where Node.js looks for what the system trusts, for the fetcher: without the folder each log and each failure of a fetch begins
  // with "Cannot open directory /etc/ssl/certs" (Node.js 24.21.0, src/crypto/crypto_context.cc).
  mkdirSync(join(folder, 'etc/ssl/certs'), { recursive: true });
  write(folder, BUILT_IN_FETCHER.slice(1), await fetcherProgram('every'));
}
