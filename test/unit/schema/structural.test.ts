import { expect, test } from 'vitest';
import * as z from 'zod';
import { withRules } from '../../../constructs/schema/rules.ts';
import { toStructural } from '../../../constructs/schema/structural.ts';

test('an object takes the fields of its shape, without a keyword that forbids others', () => {
  expect(toStructural(z.strictObject({ a: z.string().max(3).describe('A.'), b: z.boolean().optional() }))).toEqual({
    type: 'object',
    required: ['a'],
    properties: { a: { description: 'A.', type: 'string', maxLength: 3 }, b: { type: 'boolean' } },
  });
});

test("an integer has a width, and not the bounds of JavaScript's integers", () => {
  expect(toStructural(z.int())).toEqual({ type: 'integer', format: 'int64' });
  expect(toStructural(z.int().min(0).max(9))).toEqual({ type: 'integer', format: 'int32', minimum: 0, maximum: 9 });
});

test('an integer or a string is one node with the bounds of both', () => {
  expect(toStructural(z.union([z.int().min(1), z.string().max(9)]))).toEqual({
    'x-kubernetes-int-or-string': true,
    minimum: 1,
    maxLength: 9,
  });
});

test('a nested default starts from an empty object', () => {
  expect(toStructural(z.strictObject({ a: z.strictObject({ b: z.int().default(3) }).prefault({}) }))).toMatchObject({
    properties: { a: { default: {}, properties: { b: { default: 3 } } } },
  });
});

test('rules add up, and stay where the schema is described or made optional', () => {
  const once = withRules(z.string(), { rule: 'a', message: 'A' });
  const twice = withRules(once, { rule: 'b', message: 'B' }).describe('Text.');
  expect(toStructural(z.strictObject({ text: twice.optional() })).properties?.['text']).toEqual({
    description: 'Text.',
    type: 'string',
    'x-kubernetes-validations': [
      { rule: 'a', message: 'A' },
      { rule: 'b', message: 'B' },
    ],
  });
});

test.each<readonly [string, z.ZodType, object]>([
  ['a pattern', z.string().regex(/^a+$/), { type: 'string', pattern: '^a+$' }],
  ['a pattern that looks around, which Go can not, is left to zod', z.string().regex(/^(?!b)/), { type: 'string' }],
  ['a format that the API server checks', z.url(), { type: 'string', format: 'uri' }],
  ['a format that it does not check', z.string().startsWith('a'), { type: 'string', pattern: '^a.*' }],
  ['a value that may be null', z.string().nullable(), { type: 'string', nullable: true }],
  ['a number above another', z.number().gt(3), { type: 'number', minimum: 3, exclusiveMinimum: true }],
  ['anything', z.unknown(), { 'x-kubernetes-preserve-unknown-fields': true }],
  ['an object with any fields', z.looseObject({}), { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
])('%s is said in the words of Kubernetes', (_title, schema, said) => {
  expect(toStructural(schema)).toMatchObject(said);
  expect(Object.keys(toStructural(schema)).filter((key) => key === 'pattern' || key === 'format')).toEqual(
    Object.keys(said).filter((key) => key === 'pattern' || key === 'format'),
  );
});

test.each([
  ['alternatives of objects', z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: z.int() })])],
  ['a text or a number', z.union([z.string(), z.number()])],
])('%s are refused', (_title, schema) => {
  expect(() => toStructural(z.strictObject({ a: schema }))).toThrow(/^spec\.a: /);
});
