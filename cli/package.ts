import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../cluster/binaries.ts';

/** A file that ships with the package: `crds/…`, `examples/…`. */
export function packageFile(...path: readonly string[]): string {
  return join(packageRoot(), ...path);
}

/** The package's version. */
export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return version;
}

/** The program of a child process that is `trunnion` itself, compiled or not. */
export function entryPoint(): string {
  return fileURLToPath(new URL(`./main${extname(import.meta.url)}`, import.meta.url));
}
