import * as fc from 'fast-check';
import type { StructuralSchema } from '../../../constructs/schema/structural.ts';

/** More of anything, or more characters of it, make a resource too large for the API server, whatever a schema allows. */
const MOST_ITEMS = 1_500;
const MOST_CHARACTERS = 262_144;
const LONGEST_TEXT = 32_768;
const DEEPEST = 60;

/** What a careless reader of text stumbles over. */
const TEXTS = [
  '',
  ' ',
  '\u001b[2J\u001b]0;owned\u0007\u001b]52;c;aGk=\u0007',
  '\u202e\u2066evil\u2069 \u0645\u0631\u062d\u0628\u0627',
  'a\u0000b\r\n\u2028\u0085\tc',
  '\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 \u{10ffff}',
  '__proto__',
  'constructor',
  'toString',
  '$(HOME) ${HOME} `id` {{ .Values }} %s %n',
  "'; DROP TABLE x; --",
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '=cmd|/C calc!A0',
  'NaN',
  '-0',
  '1e400',
  '0x10',
  '1_000',
  '9'.repeat(400),
] as const;

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  5e-324,
  Number.EPSILON,
  1 + Number.EPSILON,
  0.9999999,
  0.99999999,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 53 - 1,
  -(2 ** 53),
  1e21,
  1.7976931348623157e308,
  -1.7976931348623157e308,
] as const;

/**
 * Values at the edges of what a schema allows. It walks the schema of a custom resource, so a field that is new is covered
 * without a word here. Most are valid by the structure; whether they are by the rules too, the API server judges.
 */
export function edge(schema: StructuralSchema, depth = 0): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom<unknown>(...schema.enum);
  if (schema['x-kubernetes-int-or-string'] === true) return fc.oneof(numbers(schema), quantities);
  if (schema['x-kubernetes-preserve-unknown-fields'] === true && schema.properties === undefined) return deep;
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'string':
      return texts(schema);
    case 'array':
      return items(schema, depth);
    default:
      return schema.additionalProperties === undefined ? object(schema, depth) : map(schema, depth);
  }
}

/** The edges of what is allowed, and numbers between them that are hard to reckon with. */
function numbers({ type, minimum, maximum }: StructuralSchema): fc.Arbitrary<number> {
  const [low, high] = [minimum ?? -Infinity, maximum ?? Infinity];
  const around = [low, low + 1, high - 1, high].filter(Number.isFinite);
  const known = [...around, ...NUMBERS].filter((value) => value >= low && value <= high);
  const whole = known.filter((value) => Number.isSafeInteger(value));
  return fc.constantFrom(...(type === 'number' ? known : whole.length > 0 ? whole : [0]));
}

const quantities = fc.constantFrom<string | number>(
  '0',
  '1n',
  '0.000000001',
  '999999999999999',
  '1E',
  '7Ei',
  '1e18',
  '.5',
  '5.',
  '-1',
  '1'.repeat(32),
);

function texts({ minLength = 0, maxLength = LONGEST_TEXT, format }: StructuralSchema): fc.Arbitrary<string> {
  if (format === 'date-time')
    return fc.constantFrom('0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-02-30T00:00:00Z');
  const longest = Math.min(maxLength, LONGEST_TEXT);
  const sized = TEXTS.filter((text) => text.length >= minLength && text.length <= longest);
  const repeated = ['a', '0', '/', '%', '-', '\u202e', '\u0007'].map((part) => part.repeat(longest));
  const prefixed = ['hf://a/', 's3://bucket/', 'https://h/', 'pvc://c/', 'oci://r/'].map((part) =>
    part.padEnd(longest, 'a').slice(0, longest),
  );
  return fc.constantFrom(...sized, ...repeated, ...prefixed);
}

/** A list of one item, and one as long as it may be: items that must differ have a number in their keys. */
function items(schema: StructuralSchema, depth: number): fc.Arbitrary<unknown> {
  const { items: each = {}, minItems = 0, maxItems = MOST_ITEMS } = schema;
  const most = Math.min(maxItems, depth > 2 ? 20 : MOST_ITEMS);
  const keys = schema['x-kubernetes-list-map-keys'] ?? (each.properties?.['name'] === undefined ? [] : ['name']);
  return fc
    .tuple(edge(each, depth + 1), fc.constantFrom(minItems, Math.max(minItems, 1), most))
    .map(([item, count]) => Array.from({ length: fitting(item, count) }, (_, i) => numbered(item, keys, i)));
}

/** So many of a value as go into a resource. */
const fitting = (value: unknown, count: number): number =>
  Math.min(count, Math.max(1, Math.floor(MOST_CHARACTERS / (JSON.stringify(value)?.length ?? 1))));

/** The same with a number where two must differ. */
function numbered(item: unknown, keys: readonly string[], number: number): unknown {
  if (typeof item === 'string') return `${item.slice(0, 40)}${number}`;
  if (typeof item !== 'object' || item === null) return item;
  return { ...item, ...Object.fromEntries(keys.map((key) => [key, `k${number}`])) };
}

/** A map of as many keys as it may have, and one with keys that are traps. */
function map({ additionalProperties = {}, maxProperties = MOST_ITEMS }: StructuralSchema, depth: number) {
  const traps = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  return fc
    .tuple(
      edge(additionalProperties, depth + 1),
      fc.constantFrom(1, 4, Math.min(maxProperties, MOST_ITEMS)),
      fc.boolean(),
    )
    .map(([value, count, isTrap]) => {
      const names = Array.from({ length: fitting(value, count) }, (_, i) => (isTrap ? traps[i] : undefined) ?? `k${i}`);
      return JSON.parse(
        `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
      ) as unknown;
    });
}

/** What must be there, and each other field at one time or another. */
function object({ properties = {}, required = [] }: StructuralSchema, depth: number): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).filter(([name]) => depth < 4 || required.includes(name));
  const models = Object.fromEntries(fields.map(([name, schema]) => [name, edge(schema, depth + 1)]));
  return fc.record(models, { requiredKeys: [...required] });
}

/** JSON in JSON, and much of it. */
const deep: fc.Arbitrary<unknown> = fc.constantFrom(
  JSON.parse(`${'{"a":'.repeat(DEEPEST)}1${'}'.repeat(DEEPEST)}`) as unknown,
  JSON.parse(`${'{"a":['.repeat(DEEPEST / 2)}${']}'.repeat(DEEPEST / 2)}`) as unknown,
  Object.fromEntries(Array.from({ length: MOST_ITEMS }, (_, i) => [`k${i}`, TEXTS[i % TEXTS.length]])),
  TEXTS.join('\n'),
);
