import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../scripts/image/bundle.ts';

/** As in the image, and outside of the repository, so that no module is found but those of the bundle. */
const root = mkdtempSync(join(tmpdir(), 'trunnion-bundle-'));
const folder = join(root, 'bin');
let metafile: Metafile;

const programs = (): readonly string[] => readdirSync(folder).filter((file) => file.endsWith('.js'));
const textOf = (program: string): string => readFileSync(join(folder, program), 'utf8');

/** The outputs by the names of their programs. */
const outputs = (): readonly (readonly [string, Metafile['outputs'][string]])[] =>
  Object.entries(metafile.outputs).flatMap(([path, output]) => {
    const name = path.split('/').at(-1) ?? '';
    return name.endsWith('.js') ? [[name, output] as const] : [];
  });

beforeAll(async () => {
  mkdirSync(folder);
  copyFileSync('package.json', join(root, 'package.json'));
  metafile = await bundle(folder, { meter: 'test/scale/support/meter.ts' });
}, 60_000);

afterAll(() => rmSync(root, { recursive: true }));

/** Modules that ws asks for and doesn't need: they are faster, and native. */
const DISPENSABLE: ReadonlySet<string> = new Set(['bufferutil', 'utf-8-validate']);

/** Loading by what is not a text. */
const UNSEEN = /\bcreateRequire\b|(?<![.\w])require\((?!['"])[^)]|(?<![.\w])import\((?!['"])[^)]/;

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm;

/** Modules that load by what is not a text. */
const KNOWN = [
  // The module of a kind's computations, each of which is a program of the bundle.
  'operator/engine/queries/computation-worker.ts',
  // Threads that write logs, which nobody asks for.
  'node_modules/pino/lib/transport.js',
];

/** What `import.meta.url` may be for: to find a program beside this one, or the package; the banner has none of them. */
const URLS = [
  // Names are created again with each bundle, and may have a "$".
  // A file beside this one, by the ending of this one.
  /new URL\(`\.\/([\w-]+)\$\{[\w$]+\(import\.meta\.url\)\}`,import\.meta\.url\)/g,
  // The package.json above, for the version, and what is told where there is none.
  /[\w$]+\("\.\.",import\.meta\.url\)/g,
  /`\$\{import\.meta\.url\} is in no package/g,
];

describe('the bundle', () => {
  it('has the programs of the operator, and those that are asked for beside them', () => {
    expect(programs()).toEqual([
      'computation-worker.js',
      'kubeconfig-child.js',
      'lease-worker.js',
      'meter.js',
      'operator.js',
      'suggestions.js',
    ]);
  });

  it('is ASCII, so that Node keeps a byte of memory for each letter, and not two', () => {
    for (const program of programs()) expect(textOf(program).match(/[^\p{ASCII}]/gu), program).toBeNull();
  });

  it('loads nothing that is not in it but modules of Node, however late', () => {
    for (const [name, { imports }] of outputs()) {
      const missing = imports.filter(({ external = false, path }) => external && !isBuiltin(path));
      expect(
        missing.map(({ path }) => path).filter((path) => !DISPENSABLE.has(path)),
        name,
      ).toEqual([]);
    }
  });

  it('is made of modules that name what they load, so that the bundler sees it, but for those known', () => {
    const hidden = Object.keys(metafile.inputs)
      .filter((path) => /\.[cm]?[jt]s$/.test(path))
      .filter((path) => UNSEEN.test(readFileSync(path, 'utf8').replaceAll(COMMENT, '')));
    expect(hidden.toSorted()).toEqual(KNOWN.toSorted());
  });

  it('has each program that one of its programs starts or loads', () => {
    const started = new Set<string>();
    for (const program of programs()) {
      const [banner = '', ...rest] = textOf(program).split('\n');
      const text = banner.startsWith('import { createRequire }') ? rest.join('\n') : textOf(program);
      for (const [, name] of text.matchAll(URLS[0] ?? /$/g)) if (name !== undefined) started.add(`${name}.js`);
      const unknown = URLS.reduce((left, pattern) => left.replaceAll(pattern, ''), text);
      expect(unknown.match(/.{0,80}import\.meta\.(url|dirname|filename).{0,40}/g), program).toBeNull();
    }
    expect([...started].filter((name) => !programs().includes(name))).toEqual([]);
    expect([...started].toSorted()).toEqual([
      'computation-worker.js',
      'kubeconfig-child.js',
      'lease-worker.js',
      'suggestions.js',
    ]);
  });

  it('keeps the optimiser, and the library that it reckons with, out of the main program', () => {
    const inputsOf = (program: string) =>
      outputs()
        .filter(([name]) => name === program)
        .flatMap(([, { inputs }]) => Object.keys(inputs));
    expect(inputsOf('operator.js').filter((path) => /ml-matrix|\/optimiser\//.test(path))).toEqual([]);
    expect(inputsOf('suggestions.js').some((path) => path.includes('node_modules/ml-matrix/'))).toBe(true);
  });

  it('has one of the languages of zod, since each takes memory', () => {
    const inputs = outputs().flatMap(([, { inputs: made }]) => Object.keys(made));
    const languages = inputs.flatMap((path) => /zod\/.*\/locales\/(?!index)(\w+)/.exec(path)?.[1] ?? []);
    expect(new Set(languages)).toEqual(new Set(['en']));
  });

  it.each([
    ['suggestions.js', 'typeof (await import(process.argv[1])).suggestTrials', 'function'],
    ['computation-worker.js', '(await import(process.argv[1]), "loaded")', 'loaded'],
  ])('has %s, which loads in a folder without other modules', async (program, expression, reported) => {
    const script = `console.log(${expression})`;
    const args = ['--input-type=module', '-e', script, join(folder, program)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env: {} });
    expect(stdout.trim()).toBe(reported);
  });

  it('has an operator that starts, and tells its options, in a folder without other modules', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(folder, 'operator.js'), 'operator', '--help'],
      {
        cwd: folder,
        env: {},
      },
    );
    expect(stdout).toContain('--leader-elect');
  });
});
