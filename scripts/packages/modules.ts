import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What a compiled module and its types import, with the words before and after. */
const IMPORTS = /(^(?:import|export)\b[^'"\n]* from |\bimport\(|^import )(['"])([^'"\n]+)\2/gm;

/** What a file imports. */
export const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(IMPORTS)].map(([, , , specifier = '']) => specifier);

/** The text of a file whose imports are others. */
export const withImports = (text: string, rename: (specifier: string) => string): string =>
  text.replaceAll(
    IMPORTS,
    (_, before: string, quote: string, specifier: string) => `${before}${quote}${rename(specifier)}${quote}`,
  );

/** The files of a module: what runs, and its types. */
export const filesOf = (module: string): readonly string[] => [`${module}.js`, `${module}.d.ts`];

/** The module that a relative import names, without its extension. */
export const moduleOf = (importer: string, specifier: string): string =>
  normalize(join(dirname(importer), specifier.replace(/\.(?:js|ts)$/, '')));

/** The package that an import names. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/**
 * The modules that some need, with themselves: for what runs, and for types.
 *
 * @param folder - where the compiled modules are, by whose paths there they are named
 */
export function reached(folder: string, entries: readonly string[]): ReadonlySet<string> {
  const found = new Set(entries);
  for (const module of found) {
    for (const file of filesOf(module)) {
      for (const specifier of importsOf(readFileSync(join(folder, file), 'utf8'))) {
        if (!specifier.startsWith('.')) continue;
        const other = moduleOf(file, specifier);
        if (existsSync(join(folder, `${other}.js`))) found.add(other);
      }
    }
  }
  return found;
}
