import { expect, test } from 'vitest';
import { type Attempt, troubleOf } from '../../../../cli/user-kinds/trouble.ts';

const attempt: Attempt = { file: 'src/operator.ts', folder: '/home/me/acme', stripsTypes: true, exists: () => false };

/** An error as Node.js throws it. */
const thrown = (code: string | undefined, message: string, more: object = {}) =>
  Object.assign(new Error(message), { code, stack: `Error: ${message}`, ...more });

const STACK = 'Error: boom\n    at file:///home/me/acme/src/web-app.ts:7:9\n    at ModuleJob.run (node:internal:1:2)';

test.for([
  [
    'an error of the module itself, with its place',
    thrown(undefined, 'boom', { stack: STACK }),
    'src/operator.ts fails while it is loaded: boom (src/web-app.ts:7)',
  ],
  [
    'an error of several lines',
    thrown(undefined, '[\n  {"code": "x"}\n]\n'),
    'src/operator.ts fails while it is loaded: [ {"code": "x"} ]',
  ],
  ['what is no error', 'text', 'src/operator.ts fails while it is loaded: text'],
  ['nothing at all', undefined, 'src/operator.ts fails while it is loaded: undefined'],
  [
    'TypeScript that must be translated',
    thrown('ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX', 'TypeScript enum is not supported in strip-only mode'),
    "src/operator.ts can't be loaded: TypeScript enum is not supported in strip-only mode. Node.js removes types and translates nothing: write it without enums, namespaces and parameter properties, or compile it, and name the JavaScript",
  ],
  [
    'TypeScript below node_modules',
    thrown('ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING', 'Stripping types is currently unsupported'),
    "src/operator.ts can't be loaded: Node.js reads no TypeScript below node_modules: compile it, and name the JavaScript",
  ],
  [
    'a file that is no module',
    thrown('ERR_UNKNOWN_FILE_EXTENSION', 'Unknown file extension ".tsx" for /home/me/acme/a.tsx'),
    'src/operator.ts can\'t be loaded: Unknown file extension ".tsx" for /home/me/acme/a.tsx. A module ends in .ts, .mts, .cts, .js, .mjs or .cjs',
  ],
  [
    'a package that is not installed',
    thrown('ERR_MODULE_NOT_FOUND', "Cannot find package 'zod' imported from /home/me/acme/src/web-app.ts"),
    "src/operator.ts can't be loaded: Cannot find package 'zod' imported from /home/me/acme/src/web-app.ts: npm install",
  ],
  [
    'an import of what is not there',
    thrown('ERR_MODULE_NOT_FOUND', "Cannot find module '/a'", { url: 'file:///a' }),
    "src/operator.ts can't be loaded: Cannot find module '/a'",
  ],
] as const)('%s is told in one line', ([, error, words]) => {
  expect(troubleOf(error, attempt)).toBe(words);
});

test.for([
  ['file:///home/me/acme/src/web-app', '/home/me/acme/src/web-app.ts'],
  ['file:///home/me/acme/src/web-app.js', '/home/me/acme/src/web-app.ts'],
  ['file:///home/me/acme/src/kinds', '/home/me/acme/src/kinds/index.ts'],
] as const)('an import of %s is told which file it means', ([url, path]) => {
  const words = troubleOf(thrown('ERR_MODULE_NOT_FOUND', 'Cannot find module', { url }), {
    ...attempt,
    exists: (asked) => asked === path,
  });
  expect(words).toContain(`There is ${path.replace('/home/me/acme/', '')}: name it with its extension in the import`);
});

test('where Node.js reads no TypeScript, the words say which one does', () => {
  const error = thrown('ERR_UNKNOWN_FILE_EXTENSION', 'Unknown file extension ".ts" for /home/me/acme/src/operator.ts');
  expect(troubleOf(error, { ...attempt, stripsTypes: false })).toBe(
    'src/operator.ts is TypeScript, which this Node.js does not read: use 22.18 or newer, without --no-strip-types; or compile it, and name the JavaScript',
  );
});

test('a long message is cut', () => {
  expect(troubleOf(new Error('x'.repeat(10_000)), attempt).length).toBeLessThan(700);
});
