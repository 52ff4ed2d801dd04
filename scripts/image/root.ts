import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fetcherProgram } from '../../fetcher/generate.ts';
import { BUILT_IN_FETCHER } from '../../constructs/parts/weights/index.ts';
import { bundle } from './bundle.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Who there is, for what looks a name up; the image has no shell that they could log in to. */
const ACCOUNTS = {
  'etc/passwd': 'root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/:/sbin/nologin\n',
  'etc/group': 'root:x:0:\nnonroot:x:65532:\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
};

/**
 * Writes the root file system of the image: the Node.js that runs this program, the libraries that it is linked to, and the
 * bundled operator. Nothing else is there, no shell and no package manager.
 */
export async function writeRoot(folder: string): Promise<void> {
  put(folder, 'usr/bin/node', process.execPath, 0o755);
  for (const library of librariesOf(process.execPath)) put(folder, library, library, 0o755);
  for (const [file, text] of Object.entries(ACCOUNTS)) write(folder, file, text);
  const { name, version, type }: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  write(folder, 'trunnion/package.json', `${JSON.stringify({ name, version, type })}\n`);
  write(folder, 'trunnion/LICENSE', readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  await bundle(join(folder, 'trunnion/bin'));
  write(folder, BUILT_IN_FETCHER.slice(1), await fetcherProgram('every'));
}

/** The dynamic linker, and the files that it would load. */
function librariesOf(program: string): readonly string[] {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => /(?:^|\s)(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}

function put(folder: string, path: string, from: string, mode: number): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(from, file);
  chmodSync(file, mode);
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
