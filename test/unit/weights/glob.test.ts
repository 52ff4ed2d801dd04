import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { matcher } from '../../../fetcher/glob.ts';

// As fnmatch of Python 3 answers, by which huggingface_hub chooses files.
test.each([
  ['*.safetensors', 'model.safetensors', true],
  ['*.safetensors', 'original/model.safetensors', true],
  ['*.safetensors', 'model.safetensors.index.json', false],
  ['original/*', 'original/a/b', true],
  ['original/', 'original/a', true],
  ['original/', 'aoriginal/a', false],
  ['original', 'original/a', false],
  ['**/*.json', 'config.json', false],
  ['model-0000?-of-*', 'model-00001-of-00002.safetensors', true],
  ['model-0000?-of-*', 'model-0000-of-00002.safetensors', false],
  ['*Q4_K_M*', 'm-q4_k_m.gguf', false],
  ['*', '', true],
  ['?', '', false],
  ['a.b', 'acb', false],
  ['*a*b*', 'xxaxxbxx', true],
  ['*ab', 'aab', true],
  ['[a]', 'a', false],
])('the pattern %s on %s: %s', (pattern, path, answer) => {
  expect(matcher(pattern)(path)).toBe(answer);
});

const letters = (signs: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...signs), { maxLength }).map((each) => each.join(''));

/** The meaning of a pattern, as said in one line a sign. */
const means = (pattern: string, path: string): boolean => {
  if (pattern === '') return path === '';
  if (pattern.startsWith('*')) return means(pattern.slice(1), path) || (path !== '' && means(pattern, path.slice(1)));
  return path !== '' && (pattern.startsWith('?') || pattern[0] === path[0]) && means(pattern.slice(1), path.slice(1));
};

test('a pattern matches what it means', () => {
  fc.assert(
    fc.property(letters(['a', 'b', '*', '?'], 8), letters(['a', 'b'], 10), (pattern, path) => {
      expect(matcher(pattern)(path)).toBe(means(pattern, path));
    }),
  );
});

test.each([30, 31, 32, 33, 63, 64, 127, 128])('a pattern of %d signs matches as many and no others', (length) => {
  const name = Array.from({ length }, (_, at) => 'abc'.charAt(at % 3)).join('');
  expect(matcher(name)(name)).toBe(true);
  expect(matcher(name)(name.slice(1))).toBe(false);
  expect(matcher(name)(`${name}a`)).toBe(false);
  expect(matcher(`*${name.slice(1)}`)(`${name}${name}`)).toBe(true);
  expect(matcher('?'.repeat(length))(name)).toBe(true);
  expect(matcher('?'.repeat(length))(`${name}a`)).toBe(false);
});

test('each sign of a name is looked at once, whatever the pattern', () => {
  let observations = 0;
  const name = 'a'.repeat(1024);
  const path = {
    length: name.length,
    charCodeAt: (at: number) => {
      observations += 1;
      return name.charCodeAt(at);
    },
  } as unknown as string;
  expect(matcher(`${'*a'.repeat(63)}*b`)(path)).toBe(false);
  expect(matcher(`*${'a'.repeat(126)}b`)(path)).toBe(false);
  expect(observations).toBe(2 * name.length);
});
