import { program } from './program.ts';

const source = (specifier: string): string => `
import { createRequire, registerHooks } from 'node:module';
const urls = new Set();
registerHooks({ load(url, context, next) { urls.add(url); return next(url, context); } });
await import('${specifier}');
console.log([...urls, ...Object.keys(createRequire(import.meta.url).cache)].join('\\n'));
`;

/** All files that an import loads, of both module systems. */
export async function loadedBy(project: string, specifier: string): Promise<readonly string[]> {
  return (await program(project, 'loaded.mjs', source(specifier))).trim().split('\n');
}
