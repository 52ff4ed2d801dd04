import { isList, isObject, type Json, type JsonObject } from '../../constructs/schema/json.ts';
import { VALIDATIONS } from '../../constructs/schema/rules.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';
import { HOSTILE, HUGE, KEYS, QUANTITIES } from './traps.ts';

/** One way to change a value. */
export interface Change {
  /** As the end of a sentence: `set to 3`, `emptied`. */
  readonly name: string;
  /** The new value; undefined where it goes. */
  readonly of: (value: Json) => Json | undefined;
}

/**
 * Every way to change a property: what a schema says of its values, on and beyond their bounds; what its format means;
 * what is of another type; and what JavaScript is known to stumble over.
 *
 * @param others - more values that are valid by rules which a schema can't say
 */
export const changesOf = (schema: StructuralSchema, others: readonly Json[] = []): readonly Change[] => {
  const all = [DELETED, ...others.map(to), ...own(schema), to(null), ...ofOtherTypes(schema).map(to)];
  return [...new Map(all.map((change) => [change.name, change])).values()];
};

const DELETED: Change = { name: 'deleted', of: () => undefined };

/** As JSON, cut short. */
export const brief = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 48 ? `${text.slice(0, 40)}… (${text.length})` : text;
};

const to = (value: Json): Change => ({ name: `set to ${brief(value)}`, of: () => value });

function own(schema: StructuralSchema): readonly Change[] {
  if (schema['x-kubernetes-int-or-string'] === true)
    return isQuantity(schema) ? QUANTITIES.map(to) : [...numbers(schema), ...strings(schema)];
  switch (schema.type) {
    case 'boolean':
      return [to(true), to(false)];
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'string':
      return schema.enum ? enums(schema.enum) : strings(schema);
    case 'array':
      return lists(schema);
    case 'object':
    case undefined:
    default:
      return schema.additionalProperties ? maps(schema) : OBJECTS;
  }
}

const isQuantity = (schema: StructuralSchema): boolean =>
  (schema[VALIDATIONS] ?? []).some(({ rule }) => rule.includes('isQuantity'));

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const enums = (values: readonly Json[]): readonly Change[] =>
  [...values, 'nonsense', textOf(values[0]).toUpperCase(), ''].map(to);

const numbers = ({ minimum = 0, maximum, type }: StructuralSchema): readonly Change[] => [
  { name: 'raised', of: (value) => (typeof value === 'number' ? value + 1 : 1) },
  ...[minimum, minimum - 1, ...(maximum === undefined ? [] : [maximum, maximum + 1]), -1, HUGE].map(to),
  ...(type === 'number' ? [0.3, 1e-7] : [1.5]).map(to),
];

const strings = ({ maxLength = 64 }: StructuralSchema): readonly Change[] => [
  { name: 'lengthened', of: (value) => (typeof value === 'string' ? `${value}x` : 'x') },
  to(''),
  { name: 'as long as may be', of: (value) => textOf(value).padEnd(maxLength, 'x') },
  { name: 'too long', of: (value) => textOf(value).padEnd(maxLength + 1, 'x') },
  to(HOSTILE),
];

function lists({ items = {}, maxItems = 8 }: StructuralSchema): readonly Change[] {
  return [
    { name: 'emptied', of: () => [] },
    { name: 'without its first item', of: (value) => listOf(value).slice(1) },
    { name: 'without its last item', of: (value) => listOf(value).slice(0, -1) },
    { name: 'reversed', of: (value) => listOf(value).toReversed() },
    { name: 'with one more item', of: (value) => [...listOf(value), another(listOf(value)[0], items)] },
    { name: 'with an item twice', of: (value) => [...listOf(value), ...listOf(value).slice(0, 1)] },
    { name: 'with null in it', of: (value) => [...listOf(value), null] },
    { name: 'too many', of: (value) => Array.from({ length: maxItems + 1 }, () => listOf(value)[0] ?? null) },
  ];
}

const listOf = (value: Json): readonly Json[] => (isList(value) ? value : []);

/** An item like another one, with another name. */
function another(item: Json | undefined, schema: StructuralSchema): Json {
  if (typeof item === 'number') return item + 1;
  if (typeof item === 'string') return `${item}y`;
  const key = ['name', 'env', 'ip', 'mountPath', 'key'].find((name) => schema.properties?.[name] !== undefined);
  if (!isObject(item) || key === undefined) return item ?? {};
  return { ...item, [key]: key === 'ip' ? '10.9.9.9' : `${textOf(item[key])}y` };
}

function maps({ additionalProperties = {}, maxProperties = 8 }: StructuralSchema): readonly Change[] {
  const value = (map: Json): Json => Object.values(mapOf(map))[0] ?? (additionalProperties.type === 'string' ? 'a' : 1);
  const many = Array.from({ length: maxProperties + 1 }, (_, index) => `key${index}`);
  return [
    { name: 'emptied', of: () => ({}) },
    { name: 'without its first key', of: (map) => Object.fromEntries(Object.entries(mapOf(map)).slice(1)) },
    ...KEYS.map((key): Change => ({
      name: `with the key ${brief(key)}`,
      of: (map) => ({ ...mapOf(map), [key]: value(map) }),
    })),
    { name: 'too many', of: (map) => Object.fromEntries(many.map((key) => [key, value(map)])) },
  ];
}

const mapOf = (value: Json): JsonObject => (isObject(value) ? value : {});

const OBJECTS: readonly Change[] = [
  { name: 'emptied', of: () => ({}) },
  { name: 'with a field that is not there', of: (value) => ({ ...mapOf(value), nonsense: 1 }) },
  { name: 'with a field __proto__', of: (value) => ({ ...mapOf(value), ['__proto__']: { polluted: true } }) },
];

/** Values of two other types: one that a careless reader would take for it, and one that nobody could. */
function ofOtherTypes({ type, ...schema }: StructuralSchema): readonly Json[] {
  if (schema['x-kubernetes-int-or-string'] === true) return [true, {}];
  switch (type) {
    case 'boolean':
      return ['true', 1];
    case 'integer':
    case 'number':
      return ['7', []];
    case 'string':
      return [7, {}];
    case 'array':
      return ['a', { 0: 'a', length: 1 }];
    case 'object':
    case undefined:
    default:
      return ['a', []];
  }
}
