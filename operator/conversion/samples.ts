import { isObject, type Json, type JsonObject } from '../../constructs/schema/json.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';

/** Numbers from 0 (included) to 1 (excluded). */
export type Random = () => number;

/** A prime, so that each number comes before one comes again, and a factor that mixes well below it. */
const PRIME = 2 ** 31 - 1;
const FACTOR = 48_271;

/** The same numbers for the same seed. */
export function randomOf(seed: number): Random {
  let state = (Math.abs(Math.trunc(seed)) % (PRIME - 1)) + 1;
  return () => {
    state = (state * FACTOR) % PRIME;
    return (state - 1) / (PRIME - 1);
  };
}

/** Most items of a list, and fields of a map, where the schema asks for no more. */
const MOST_ITEMS = 3;

/** From this depth on, what may be left out is: a schema may be very wide. */
const DEEPEST = 8;

/** Texts for formats that a schema may ask for; anything else is a word. */
const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2027-01-02T03:04:05Z',
  date: '2027-01-02',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/path',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

/** A value that a schema takes; its rules in CEL may still refuse it. */
export function sampleOf(schema: StructuralSchema, random: Random, depth = 0): Json {
  const { type, enum: choices, minimum, maximum } = schema;
  if (choices !== undefined && choices.length > 0) return choices[pick(random, choices.length)] ?? null;
  if (schema['x-kubernetes-int-or-string'] === true)
    return pick(random, 2) === 0 ? pick(random, 100) : word(random, 1, 5);
  switch (type) {
    case 'object':
      return objectSample(schema, random, depth);
    case 'array': {
      const least = schema.minItems ?? 0;
      const most = Math.max(least, Math.min(schema.maxItems ?? MOST_ITEMS, MOST_ITEMS));
      const { items } = schema;
      const length = least + pick(random, most - least + 1);
      return items === undefined ? [] : Array.from({ length }, () => sampleOf(items, random, depth + 1));
    }
    case 'integer':
    case 'number': {
      const least = minimum ?? Math.min(0, maximum ?? 0);
      const most = Math.min(maximum ?? least + 1_000, least + 1_000);
      const drawn = least + random() * (most - least);
      return type === 'integer' ? Math.round(drawn) : Math.round(drawn * 4) / 4;
    }
    case 'boolean':
      return pick(random, 2) === 1;
    case 'string':
      return TEXTS[schema.format ?? ''] ?? word(random, schema.minLength ?? 1, schema.maxLength ?? 8);
    default:
      return { [word(random, 1, 3)]: word(random, 1, 3) };
  }
}

function objectSample(schema: StructuralSchema, random: Random, depth: number): JsonObject {
  const { properties = {}, required = [], additionalProperties } = schema;
  const isThere = (name: string) => required.includes(name) || (depth < DEEPEST && random() < 0.6);
  const fields = Object.entries(properties).flatMap(([name, child]) =>
    isThere(name) ? [[name, sampleOf(child, random, depth + 1)] as const] : [],
  );
  if (additionalProperties === undefined || depth >= DEEPEST) return Object.fromEntries(fields);
  const names = Array.from({ length: pick(random, MOST_ITEMS) }, () => word(random, 1, 8));
  const more = names.map((name) => [name, sampleOf(additionalProperties, random, depth + 1)] as const);
  return Object.fromEntries([...more, ...fields]);
}

/** The same spec with one field left out, for each of its fields. */
export function* withoutOneField(
  value: Json,
  most: number,
): Generator<{ readonly path: string; readonly value: Json }> {
  let left = most;
  for (const { path, without } of removals(value, '')) {
    if (left <= 0) return;
    left -= 1;
    yield { path, value: without };
  }
}

function* removals(value: Json, path: string): Generator<{ readonly path: string; readonly without: Json }> {
  if (Array.isArray(value)) {
    for (const [place, item] of (value as readonly Json[]).entries()) {
      for (const { path: at, without } of removals(item, `${path}[${place}]`)) {
        yield { path: at, without: (value as readonly Json[]).with(place, without) };
      }
    }
  }
  if (!isObject(value)) return;
  for (const [name, field] of Object.entries(value)) {
    const { [name]: _gone, ...others } = value;
    yield { path: `${path}.${name}`, without: others };
    for (const { path: at, without } of removals(field, `${path}.${name}`)) {
      yield { path: at, without: { ...value, [name]: without } };
    }
  }
}

const pick = (random: Random, below: number): number => Math.floor(random() * below);

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A word of letters, at most a dozen where it may be longer. */
function word(random: Random, least: number, most: number): string {
  const longest = Math.max(least, Math.min(most, 12));
  const length = least + pick(random, longest - least + 1);
  return Array.from({ length }, () => LETTERS[pick(random, LETTERS.length)]).join('');
}
