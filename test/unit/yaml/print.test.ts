import * as fc from 'fast-check';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { printYaml } from '../../../yaml/print.ts';
import { readYaml } from '../../../yaml/read.ts';
import { SCALARS } from './support/go-yaml.ts';

/** Text as people write it, and text that a reader could take for something else. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    ...SCALARS.map(([scalar]) => scalar),
    '=',
    '<<',
    '1:30',
    '12:30:45.5',
    '0o400',
    '0b1',
    '- a',
    'a: b',
    '',
  ),
  fc.stringMatching(/^[-+.\dxXoObBeE_:]{1,8}$/),
  fc
    .array(fc.constantFrom('a', ' ', '\n', '\t', '#', ':', '-', '\u0085', '\u2028', '"', "'"))
    .map((parts) => parts.join('')),
);

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** As JSON has it: one zero. */
const asJson = (data: unknown): unknown => JSON.parse(JSON.stringify(data) ?? 'null');

test('what is printed is read back as it was, by readers of YAML 1.1 as Kubernetes reads it, by the whole of YAML 1.1, and of 1.2', () => {
  fc.assert(
    fc.property(fc.dictionary(text, value, { maxKeys: 4 }), (data) => {
      const printed = printYaml(data);
      const expected = asJson(data);
      expect(asJson(readYaml(printed)[0])).toEqual(expected);
      expect(asJson(parse(printed, { version: '1.1', logLevel: 'silent' }))).toEqual(expected);
      expect(asJson(parse(printed, { logLevel: 'silent' }))).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
});

test.each(SCALARS.filter(([scalar, read]) => scalar !== read))('text that says %s is printed in quotes', (scalar) => {
  expect(printYaml({ [scalar]: scalar })).toBe(`"${scalar}": "${scalar}"\n`);
});

test('text that is text everywhere has no quotes', () => {
  expect(printYaml({ image: 'a/b:1.2.3', memory: '16Gi', cpu: '500m' })).toBe(
    'image: a/b:1.2.3\nmemory: 16Gi\ncpu: 500m\n',
  );
});

test('lines that begin with a tab are printed in quotes, since Go takes no tab for the beginning of a block', () => {
  expect(printYaml({ script: '\tmake\n\tmake install\n' })).toBe('script: "\\tmake\\n\\tmake install\\n"\n');
  expect(printYaml({ script: '\n  \tmake\n' })).toBe('script: "\\n  \\tmake\\n"\n');
});
