import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';

/** Makes a folder that its owner alone may enter. One that is there already is closed. */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
}

/** Writes a file that its owner alone may read. One that is there already is closed before anything is in it. */
export function writePrivately(path: string, text: string): void {
  writeFileSync(path, '', { mode: 0o600 });
  chmodSync(path, 0o600);
  writeFileSync(path, text);
}
