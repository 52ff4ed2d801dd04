import { join } from 'node:path/posix';

/** The program text of files, by their paths. */
export type Sources = ReadonlyMap<string, string>;

/** `from '…'`, `import '…'` and `import('…')`: values and types alike, static and dynamic. */
const IMPORTED = /\b(?:from\s*|import\s*\(?\s*)'(\.{1,2}\/[^']+)'/g;
const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;

/** Which of the other files a file imports, even if for a type alone. */
const importsOf = (path: string, sources: Sources): readonly string[] => {
  const code = sources.get(path)?.replaceAll(COMMENT, '') ?? '';
  const paths = [...code.matchAll(IMPORTED)].map(([, module = '']) => join(path, '..', module));
  return [...new Set(paths)].filter((imported) => sources.has(imported));
};

/**
 * Cycles of imports, each as the files on it, from the first to the first again. Every file that is on a cycle is on one
 * of these; they are not all the cycles that there are.
 */
export function cyclesIn(sources: Sources): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path]);
    if (start >= 0 || done.has(path)) return;
    for (const imported of importsOf(path, sources)) visit(imported, [...trail, path]);
    done.add(path);
  };
  for (const path of sources.keys()) visit(path, []);
  return cycles;
}
