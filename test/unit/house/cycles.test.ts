import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cyclesIn } from '../../support/imports.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** All TypeScript that git knows, but for what is generated. */
function sources(): ReadonlyMap<string, string> {
  const files = execFileSync('git', ['ls-files', '*.ts', ':!*.generated.ts'], { cwd: ROOT, encoding: 'utf8' });
  return new Map(
    files
      .split('\n')
      .filter(Boolean)
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
  );
}

test('no file imports itself through others, be it for a type or later', () => {
  const all = sources();
  expect(all.size).toBeGreaterThan(1000);
  expect(cyclesIn(all).map((cycle) => cycle.join(' → '))).toEqual([]);
});

test.for([
  ['values', `import { b } from './b.ts';`, `import { a } from '../room/a.ts';`],
  ['types', `import type { B } from './b.ts';`, `import type { A } from './a.ts';`],
  ['a type and a value', `import { b } from './b.ts';`, `import { other, type A } from './a.ts';`],
  ['a type and a later import', `const { b } = await import('./b.ts');`, `import type { A } from './a.ts';`],
  ['a type that is named in place', `import { b } from './b.ts';`, `export const b: import('./a.ts').A = 1;`],
  ['what is passed on', `export * from './b.ts';`, `export { a } from './a.ts';`],
  ['an import for its effect', `import './b.ts';`, `import './a.ts';`],
  ['an import over lines', `import {\n  b,\n} from './b.ts';`, `import {\n  a,\n} from './a.ts';`],
] as const)('a cycle is found: by %s', ([, a, b]) => {
  const found = cyclesIn(
    new Map([
      ['room/first.ts', `import { a } from './a.ts';`],
      ['room/a.ts', a],
      ['room/b.ts', b],
    ]),
  );
  expect(found).toEqual([['room/a.ts', 'room/b.ts', 'room/a.ts']]);
});

test('a cycle is found: by way of many files', () => {
  const files = Array.from(
    { length: 50 },
    (_, i) => [`room/${i}.ts`, `import type { A } from './${(i + 1) % 50}.ts';`] as const,
  );
  expect(cyclesIn(new Map(files)).map(({ length }) => length)).toEqual([51]);
});

test('files that share imports, and what comments say, are no cycle', () => {
  const found = cyclesIn(
    new Map([
      ['a.ts', `import { b } from './b.ts';\nimport { c } from './c.ts';\nimport { d } from 'd';`],
      ['b.ts', `import { c } from './c.ts';\n// import { a } from './a.ts';`],
      ['c.ts', `/** See import('./a.ts'). */\nexport const c = 1;`],
    ]),
  );
  expect(found).toEqual([]);
});
