import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { lint } from '../../support/lint.ts';

test.for([
  ['nested repetition', 'export const a = /^(a+)+$/;'],
  ['two repetitions that take from each other', String.raw`export const a = /^\d+\.?\d*$/;`],
  ['a search that starts anew at each place', String.raw`export const a = /\s+$/;`],
  ['the same in a string', `export const a = new RegExp('(a+)+$');`],
] as const)('a regular expression that can backtrack is refused: %s', async ([, source]) => {
  const { code, stdout } = await lint('operator/a.ts', `${source}\n`);
  expect(stdout).toContain('regexp(no-super-linear');
  expect(code).not.toBe(0);
});

test.for([
  'export const a = (name: string) => new RegExp(name);',
  'export const a = (name: string) => new RegExp(`^${name}$`);',
  'export const a = (name: string) => RegExp(String.raw`^${name}$`);',
])('a regular expression that is built from values is refused: %s', async (source) => {
  const { code, stdout } = await lint('operator/a.ts', `${source}\n`);
  expect(stdout).toContain('trunnion(no-built-regexp)');
  expect(code).not.toBe(0);
});

test.for([
  'export const a = (xs: number[]) => Math.max(...xs);',
  'export const a = (xs: number[]) => Math.max(0, ...xs.map(Math.abs));',
  'export const a = (xs: number[]) => String.fromCharCode(...xs);',
  'export const a = (xs: number[], ys: number[]) => xs.push(...ys);',
  'export const a = (xs: number[]) => Math.max(...[1, ...xs]);',
  'export const a = (xs: number[]) => { const ys = xs; return Math.max(...ys); };',
  'export const a = (xs: number[]) => { let ys = [1]; ys = xs; return Math.max(...ys); };',
  'export const a = (xs: string[]) => new Set([...xs].concat(...xs));',
  'export const a = (xs: Date[]) => new Array(...xs);',
  'export const a = (xs: number[]) => Math.max.apply(null, xs);',
  'export const a = (xs: number[], ys: number[]) => xs.push.apply(xs, ys);',
  'export const a = (xs: number[]) => Reflect.apply(Math.max, null, xs);',
])('a spread of unknown length is refused: %s', async (source) => {
  const { code, stdout } = await lint('cli/a.ts', `${source}\n`);
  expect(stdout).toContain('trunnion(no-unbounded-spread)');
  expect(code).not.toBe(0);
});

test('a spread of fixed length, a rest parameter, an array literal and a rule of a schema are none', async () => {
  const source = `
    declare const client: { apply(path: string, body: object): void };
    declare const withRules: (schema: object, ...rules: readonly string[]) => object;
    const PAIR = [1, 2] as const;
    export const a = Math.max(...PAIR, 3);
    export const b = (wide: boolean) => Math.max(...(wide ? [1, 2] : [3]));
    export const c = (...xs: number[]) => Math.max(...xs);
    export const d = (xs: number[], ys: number[]) => [...xs, ...ys];
    export const e = (xs: object) => ({ ...xs });
    export const f = () => client.apply('/api', {});
    export const g = (rules: string[]) => withRules({}, ...rules);
    export const h = /^[a-z]+$/.test('a') && new RegExp('^[a-z]$').test('a');
  `;
  expect(await lint('operator/a.ts', source)).toMatchObject({ code: 0 });
});

test('no pattern of a schema and no rule about text can backtrack', async () => {
  const patterns = new Set<string>();
  for await (const file of glob('crds/**/*.yaml')) {
    for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) collect(document.toJS(), patterns);
  }
  expect(patterns.size).toBeGreaterThan(20);
  const source = [...patterns].map((text, i) => `export const p${i} = new RegExp(${JSON.stringify(text)});`).join('\n');
  const { stdout } = await lint('operator/a.ts', source);
  expect(stdout).not.toContain('regexp(');
});

/** All regular expressions of a definition: `pattern`, and what rules in CEL match with. */
function collect(value: unknown, into: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'pattern' && typeof inner === 'string') into.add(inner);
    if (key === 'rule' && typeof inner === 'string') {
      for (const [, raw, text = ''] of inner.matchAll(/\bmatches\((r?)'((?:[^'\\]|\\.)*)'\)/g)) {
        into.add(raw === 'r' ? text : text.replaceAll(/\\(.)/g, '$1'));
      }
    }
    collect(inner, into);
  }
}
