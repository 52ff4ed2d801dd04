import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** How strictly a careful user has programs checked. */
export const STRICT = {
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'esnext.array', 'esnext.collection', 'esnext.disposable'],
  types: ['node'],
  noEmit: true,
  allowImportingTsExtensions: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
};

/**
 * A user's project in a folder, which has the operator's package as it is before it is compiled.
 *
 * @param installed - packages that it has as well
 */
export function makeUserProject(folder: string, installed: readonly string[]): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  const modules = join(folder, 'node_modules');
  const operator = join(modules, 'trunnion-operator');
  mkdirSync(operator, { recursive: true });
  for (const name of installed) symlinkSync(resolve('node_modules', name), join(modules, name));
  for (const name of ['constructs', 'operator', 'testing']) symlinkSync(resolve(name), join(operator, name));
  const exports = { '.': './operator/index.ts', './testing': './testing/index.ts' };
  writeFileSync(join(operator, 'package.json'), JSON.stringify({ name: 'trunnion-operator', type: 'module', exports }));
}
