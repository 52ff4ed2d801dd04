import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
