import { expect, test } from 'vitest';
import * as z from 'zod';
import { withDefaults } from '../../../constructs/schema/defaults.ts';
import type { Json } from '../../../constructs/schema/json.ts';
import { toStructural } from '../../../constructs/schema/structural.ts';

const schema = toStructural(
  z.strictObject({
    limit: z.int().default(6),
    name: z.string().optional(),
    drain: z.strictObject({ seconds: z.int().default(30), path: z.string().optional() }).prefault({}),
    labels: z.record(z.string(), z.string()).optional(),
    args: z.array(z.string()).optional(),
  }),
);

test.each<[string, Json, Json]>([
  ['is the default where there is one', { limit: null, drain: null }, { limit: 6, drain: { seconds: 30 } }],
  ['is the same as absent where there is none', { name: null, labels: null, drain: { path: null } }, {}],
  ['is no value of a map', { labels: { a: 'x', b: null } }, { labels: { a: 'x' } }],
  ['stays in a list, where it is refused', { args: ['a', null] }, { args: ['a', null] }],
  ['stays in a field that nobody knows, which is refused', { nonsense: null }, { nonsense: null }],
])('null %s, as with kubectl create', (_, written, filled) => {
  expect(withDefaults(schema, written)).toEqual({ limit: 6, drain: { seconds: 30 }, ...(filled as object) });
});
