import { describe, expect, test } from 'vitest';
import { readYaml } from '../../../yaml/read.ts';
import { DOCUMENTS, REFUSED } from './support/go-yaml-documents.ts';
import { SCALARS } from './support/go-yaml.ts';

test.each(SCALARS)('%s without quotes is what it is for kubectl', (text, value) => {
  expect(readYaml(`field: ${text}\n`)).toEqual([{ field: value }]);
});

test.each(DOCUMENTS)('%j is read as kubectl reads it', (text, json) => {
  expect(readYaml(text)[0] ?? null).toEqual(JSON.parse(json));
});

test.each(REFUSED)('%j is refused, as kubectl refuses it', (text) => {
  expect(() => readYaml(text)).toThrow(expect.objectContaining({ name: 'YamlError' }));
});

describe('what kubectl guesses is refused, with the line', () => {
  test.each([
    ['a: 1\nb: 2\na: 3\n', 'line 3: the key "a" stands twice in one map: leave one'],
    ['256: 1\n0400: 2\n', 'line 2: the key "256" stands twice in one map: leave one'],
    ["true: 1\n'true': 2\n", 'line 2: the key "true" stands twice in one map: leave one'],
    ['N: 1\nn: 2\n', 'line 2: the key "false" stands twice in one map: leave one'],
    ['seed: 9007199254740993\n', "line 1: 9007199254740993 is an integer that can't be kept exactly"],
    ['a: 0xFFFFFFFFFFFFFFFF\n', "line 1: 0xFFFFFFFFFFFFFFFF is an integer that can't be kept exactly"],
    ['a: 1\nb: .inf\n', "line 2: .inf is a number that JSON has none of: write a finite number, or '.inf' for text"],
    ['3.14159265358979: 1\n', 'line 1: a key must be text (got a number of many digits): write it in quotes'],
    ['a: 1\n~: 1\n', 'line 2: a key must be text (got null): write it in quotes'],
    ['a: 1\nb: {<<: 1}\n', 'line 2: << takes a map or a list of maps (got 1)'],
    ['a: 1\nb: *c\n', 'line 2: the alias *c has no anchor &c before it'],
    ['a: &l [*l]\n', 'line 1: the anchor &l contains itself'],
    ['a: !!int many\n', 'line 1: "many" is no !!int'],
    ['a: !!binary "?"\n', 'line 1: !!binary takes text in base64 (got "?")'],
    ['%YAML 1.2\n---\na: 1\n', 'its directive says YAML 1.2; Kubernetes reads YAML 1.1: leave out the line %YAML'],
    [
      'a: 1 # note\u2028b: 2\n',
      'line 1: the character U+2028 ends a line in YAML 1.1: write "\\u2028" in double quotes',
    ],
    ['a: "\u2028"\nb: x\u0085y\n', 'line 2: the character U+0085 ends a line in YAML 1.1'],
  ])('%j', (text, message) => {
    expect(() => readYaml(text)).toThrow(message);
  });
});

test('each document has anchors of its own', () => {
  expect(readYaml('a: &x 0400\nb: *x\n---\na: &x yes\nb: *x\n')).toEqual([
    { a: 256, b: 256 },
    { a: true, b: true },
  ]);
  expect(() => readYaml('a: &x 1\n---\nb: *x\n')).toThrow('the alias *x has no anchor &x before it');
});

test('a value may be used two hundred times by an alias', () => {
  const [read] = readYaml(`a: &a {p: 1, q: 2}\nb:\n${'- *a\n'.repeat(200)}`);
  expect(read).toMatchObject({ b: Array.from({ length: 200 }, () => ({ p: 1, q: 2 })) });
});

test('aliases of aliases that would fill the memory are refused', () => {
  const levels = Array.from({ length: 8 }, (_, level) =>
    level === 0 ? 'a0: &a0 [x, x, x, x, x, x, x, x]\n' : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(10)}]\n`,
  );
  expect(() => readYaml(levels.join(''))).toThrow('its aliases stand for too much: write out less of it by aliases');
});

test('lists in lists without an end are refused', () => {
  expect(() => readYaml('['.repeat(100_000))).toThrow(expect.objectContaining({ name: 'YamlError' }));
});

test('a key that JavaScript has a meaning for is a key', () => {
  const [read] = readYaml('__proto__: {polluted: yes}\n');
  expect(JSON.stringify(read)).toBe('{"__proto__":{"polluted":true}}');
});

test('each document may begin with a byte order mark, as files that were put together do', () => {
  expect(readYaml('\ufeffa: 1\nb: 1\n---\n\ufeffa: 2\nb: 2\n--- \r\n\ufeffa: 3\n')).toEqual([
    { a: 1, b: 1 },
    { a: 2, b: 2 },
    { a: 3 },
  ]);
  expect(() => readYaml('a: 1\n---\n\ufeffb: "\u2028"\nc: \u2028d\n')).toThrow('line 4: the character U+2028');
});

describe('what is in braces, brackets or quotes', () => {
  test.each([
    ['a: {\nb: 1\n}', { a: { b: 1 } }],
    ['a: {\n\tb: 1 }', { a: { b: 1 } }],
    ['a:\n  b: {\n c: [\n1,\n2\n]}\nd: 3\n', { a: { b: { c: [1, 2] } }, d: 3 }],
    ['- - a: {\nb: 1}', [[{ a: { b: 1 } }]]],
    ['a: "x\n\ty"', { a: 'x y' }],
    ["a: 'x\ny'", { a: 'x y' }],
    ['a: "x\r\n\ty"\r\nb: {\r\nc: 1}\r\n', { a: 'x y', b: { c: 1 } }],
    ['a: "x\n\n\ny"\nb: 1\n', { a: 'x\n\ny', b: 1 }],
  ])('may be indented as it likes: %j', (text, value) => {
    expect(readYaml(text)).toEqual([value]);
  });

  test.each(['a: [\n---\n]', 'a: "x\n---\ny"', 'a: [1\nb: 2', 'a: "x\nb: 1\n', 'a: {b: x\n\ty}', 'a:\n\tb: 1'])(
    'ends with its document, is closed, and has no tab behind a plain text: %j',
    (text) => {
      expect(() => readYaml(text)).toThrow(expect.objectContaining({ name: 'YamlError' }));
    },
  );

  test('has its lines told as they are', () => {
    expect(() => readYaml('a: {\nb: 1,\nb: 2}')).toThrow('line 3: the key "b" stands twice');
  });
});

describe('JSON values one behind the other', () => {
  test.each<[string, readonly unknown[]]>([
    ['{}{}', [{}, {}]],
    ['{"a": 1}\n{"a": 2}\n', [{ a: 1 }, { a: 2 }]],
    ['\ufeff {"a": "}{"} \t{"a": "\\"}"}\r\n\r\n{"a":\n\t[2,\n{}]}', [{ a: '}{' }, { a: '"}' }, { a: [2, {}] }]],
    ['{"a": 1}[{"a": 2}]', [{ a: 1 }, [{ a: 2 }]]],
    ['{"a": 1}\n---\na: 0400\n---\n{"a": 3}\n', [{ a: 1 }, { a: 256 }, { a: 3 }]],
    ['{"a": 1} # the first\n---\n{a: yes}\n', [{ a: 1 }, { a: true }]],
    ['{"a": 1}\n  b: 2\n  c: 3\n', [{ a: 1 }, { b: 2, c: 3 }]],
    ['{a: 1}\n---\n{b: 2}\n', [{ a: 1 }, { b: 2 }]],
    ['{"mode": "0400", "yes": 1e3}', [{ mode: '0400', yes: 1000 }]],
  ])('are read as kubectl reads them: %j', (text, values) => {
    const read = readYaml(text);
    expect(read.filter((value) => value !== null)).toEqual(values);
  });

  test.each([
    ['{}\n{}\n---\n{}\n', 'line 3: it is no JSON, as the 2 values before it are: correct it, or begin each document'],
    ['{}{}\n\n{"a": }', 'line 3: it is no JSON, as the 2 values before it are'],
    ['{}\n{"a":\n1, "a": 2}{}', 'line 3: the key "a" stands twice in one map: leave one'],
    ['{"a": 1}\n---\nb: 1\nb: 2\n', 'line 4: the key "b" stands twice in one map: leave one'],
    ['{"a": 1}\n{"b":\n', 'at line 2'],
    ['{a: 1}{b: 2}', 'at line 1'],
  ])('with something else behind them, or a key twice, are refused with the line: %j', (text, message) => {
    expect(() => readYaml(text)).toThrow(expect.objectContaining({ name: 'YamlError' }));
    expect(() => readYaml(text)).toThrow(message);
  });

  test('may be many, and one may be nested deeply', () => {
    expect(readYaml('{"a": 1}\n'.repeat(2_000))).toHaveLength(2_000);
    expect(() => readYaml(`{}${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toThrow(
      expect.objectContaining({ name: 'YamlError' }),
    );
  });
});
