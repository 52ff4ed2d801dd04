import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Who there is, for what looks a name up; the image has no shell that they could log in to. */
const ACCOUNTS = {
  'etc/passwd': 'root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/:/sbin/nologin\n',
  'etc/group': 'root:x:0:\nnonroot:x:65532:\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
};

/** Writes the Node.js that runs this program into a root file system, and the libraries that it is linked to. */
export function writeNode(folder: string): void {
  writeNodeAlone(folder);
  for (const library of librariesOf(process.execPath)) put(folder, library, library, 0o755);
  for (const [file, text] of Object.entries(ACCOUNTS)) write(folder, file, text);
}

/** The same without the libraries, for a root file system that has its own. */
export const writeNodeAlone = (folder: string): void => put(folder, 'usr/bin/node', process.execPath, 0o755);

/** The dynamic linker, and the files that it would load. */
export function librariesOf(program: string): readonly string[] {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => /(?:^|\s)(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}

function put(folder: string, path: string, from: string, mode: number): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(from, file);
  chmodSync(file, mode);
}

/** Writes a file of a root file system, by its path there. */
export function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
