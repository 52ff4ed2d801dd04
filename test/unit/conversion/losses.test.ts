import * as z from 'zod';
import { expect, test } from 'vitest';
import { defineSchema } from '../../../constructs/schema/kind.ts';
import { checkConversions, conversionLosses } from '../../../operator/conversion/losses.ts';
import { plain, webApp } from './support/kinds.ts';

/** A kind whose old version had no port, a default, and a size in words. */
const lossy = defineSchema({
  ...plain,
  kind: 'Lossy',
  version: 'v1',
  spec: z.strictObject({
    image: z.string().min(1),
    port: z.int().min(1).max(9).optional(),
    size: z.int().min(0).max(3),
    extra: z.record(z.string(), z.strictObject({ on: z.boolean() })).optional(),
  }),
  versions: [
    {
      name: 'v1beta1',
      spec: z.strictObject({
        image: z.string().min(1),
        size: z.enum(['small', 'large']),
        pull: z.string().default('always'),
        list: z.array(z.strictObject({ name: z.string() })).optional(),
      }),
      toStored: ({ image, size }) => ({ image, size: size === 'small' ? 0 : 3 }),
      fromStored: ({ image, size }) => ({
        image: image?.trim(),
        size: size !== undefined && size < 2 ? ('small' as const) : ('large' as const),
      }),
    },
  ],
});

test('a field that the other version does not have is lost', () => {
  const spec = { image: 'nginx', port: 8, size: 0, extra: { a: { on: true } } };
  expect(conversionLosses(lossy, 'v1', spec)).toEqual([
    { version: 'v1', through: 'v1beta1', path: 'spec.port', message: 'is lost: it was 8' },
    { version: 'v1', through: 'v1beta1', path: 'spec.extra', message: 'is lost: it was {"a":{"on":true}}' },
  ]);
});

test('a value that the other version does not have is another one', () => {
  expect(conversionLosses(lossy, 'v1', { image: 'nginx', size: 1 })).toEqual([
    { version: 'v1', through: 'v1beta1', path: 'spec.size', message: 'is 0, and was 1' },
  ]);
});

test('defaults count: a client writes them back', () => {
  expect(conversionLosses(lossy, 'v1beta1', { image: 'nginx', size: 'small', pull: 'never' })).toEqual([
    { version: 'v1beta1', through: 'v1', path: 'spec.pull', message: 'is "always", and was "never"' },
  ]);
  expect(conversionLosses(lossy, 'v1beta1', { image: 'nginx', size: 'small' })).toEqual([]);
});

test('the check finds what is lost by itself, and lists each field once', () => {
  expect(() => checkConversions(lossy)).toThrow(
    /^Lossy is not converted without loss:\n(?:.*\n)*.*v1 to v1beta1 and back: spec.port is lost: it was \d/,
  );
  const lines = messageOf(() => checkConversions(lossy)).split('\n');
  expect(new Set(lines.map((line) => line.replace(/ (?:is|may) .*/, ''))).size).toBe(lines.length);
});

test('the check finds the same with the same seed', () => {
  const first = messageOf(() => checkConversions(lossy, { seed: 7 }));
  expect(messageOf(() => checkConversions(lossy, { seed: 7 }))).toBe(first);
});

test('a kind that loses nothing passes, with the specs that it is given, and with those that are chosen', () => {
  checkConversions(webApp);
  checkConversions(webApp, { specs: { v1: [{ image: 'a:b', port: 1 }], v1beta1: [{ repository: 'a' }] } });
  checkConversions(plain);
});

test('a function that fails where a field is missing is found', () => {
  const strict = defineSchema({
    ...plain,
    spec: z.strictObject({ image: z.string().min(1) }),
    version: 'v1',
    versions: [
      {
        name: 'v1beta1',
        spec: z.strictObject({ picture: z.strictObject({ name: z.string().min(1) }) }),
        toStored: (spec) => ({ image: (spec as { picture: { name: string } }).picture.name.slice(0) }),
        fromStored: (spec) => ({ picture: { name: spec.image } }),
      },
    ],
  });
  const message = messageOf(() => checkConversions(strict));
  expect(message).toContain('v1beta1 to v1 and back: spec.picture may be missing, and then Plain checked');
  expect(message).toContain('spec.picture.name may be missing');
  expect(message).not.toContain('v1 to v1beta1');
});

test('a schema from which no spec can be made asks for some', () => {
  const picky = defineSchema({
    ...plain,
    version: 'v1',
    spec: z.strictObject({ text: z.string().refine((text) => text === 'exactly this') }),
    versions: [{ name: 'v1beta1' }],
  });
  expect(() => checkConversions(picky)).toThrow('give some in specs.v1');
  checkConversions(picky, { specs: { v1: [{ text: 'exactly this' }] } });
});

test('a version that is not there is named', () => {
  expect(() => conversionLosses(webApp, 'v7', {})).toThrow('WebApp has no version v7: it has v1, v1beta1, v1alpha1');
});

function messageOf(work: () => void): string {
  try {
    work();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
