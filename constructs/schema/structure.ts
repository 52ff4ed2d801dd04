import { similarTo } from '../parts/values/index.ts';
import { withGot, type Problem } from './error.ts';
import { isList, isObject, own, under, type Json, type JsonObject } from './json.ts';
import type { StructuralSchema } from './structural.ts';

/**
 * What is wrong with the structure of a value, in the words of the API server. A field that the schema does not know is
 * a problem here, where kubectl warns of it or refuses it.
 */
export function structureProblems(schema: StructuralSchema, value: Json, path: string): readonly Problem[] {
  const wrongType = typeProblem(schema, value, path);
  if (wrongType !== undefined) {
    // 1.5 is no integer, and too small for one from 2 on.
    const outOfRange = typeof value === 'number' ? numberProblems(schema, value, path) : [];
    return [wrongType, ...enumProblems(schema, value, path), ...outOfRange];
  }
  if (isList(value)) return listProblems(schema, value, path);
  if (isObject(value)) return objectProblems(schema, value, path);
  return scalarProblems(schema, value, path);
}

function typeProblem(schema: StructuralSchema, value: Json, path: string): Problem | undefined {
  const type = schema.type ?? (schema['x-kubernetes-int-or-string'] === true ? 'integer,string' : undefined);
  const actual = typeOf(value);
  if (value === null && schema.nullable === true) return undefined;
  if (type === undefined || type.split(',').includes(actual) || (type === 'number' && actual === 'integer')) {
    return undefined;
  }
  const [expected, found] = widthsOf(schema, value) ?? [type, actual];
  return withGot({ path, message: `${path} in body must be of type ${expected}: "${found}"` }, value);
}

/** Where a number has a width, the API server compares that with the width of the value, if that is no text or list. */
function widthsOf({ format }: StructuralSchema, value: Json): readonly [string, string] | undefined {
  if (format === undefined || value === null || typeof value === 'string' || isList(value)) return undefined;
  return [format, typeof value === 'number' ? 'float64' : ''];
}

const typeOf = (value: Json): string => {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < INT64 ? 'integer' : typeof value;
};

/** The API server reads whole numbers from here on as numbers with a fraction. */
const INT64 = 2 ** 63;

function objectProblems(schema: StructuralSchema, value: JsonObject, path: string): readonly Problem[] {
  const { properties = {}, additionalProperties, required = [], maxProperties } = schema;
  const keys = Object.keys(value);
  const open = additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return [
    ...required
      .filter((name) => own(value, name) === undefined)
      .map((name) => ({ path: under(path, `.${name}`), message: 'Required value' })),
    ...keys
      .filter((name) => !open && own(properties, name) === undefined)
      .map((name) => unknownField(under(path, `.${name}`), name, Object.keys(properties))),
    ...(maxProperties !== undefined && keys.length > maxProperties
      ? [{ path, message: `Too many: ${keys.length}: must have at most ${maxProperties} items` }]
      : []),
    ...keys.flatMap((name) => {
      const known = own(properties, name);
      const child = known ?? additionalProperties;
      return child === undefined ? [] : structureProblems(child, value[name] ?? null, under(path, `.${name}`));
    }),
  ];
}

function unknownField(path: string, name: string, allowed: readonly string[]): Problem {
  const near = similarTo(name, allowed);
  const known = near === undefined ? `allowed here: ${allowed.join(', ')}` : `did you mean "${near}"?`;
  return { path, message: `unknown field "${path}"; ${known}` };
}

function listProblems(schema: StructuralSchema, value: readonly Json[], path: string): readonly Problem[] {
  const { items, minItems = 0, maxItems = Infinity } = schema;
  return [
    ...(value.length < minItems
      ? [{ path, message: `${path} in body should have at least ${minItems} items`, got: value.length }]
      : []),
    ...(value.length > maxItems
      ? [{ path, message: `Too many: ${value.length}: must have at most ${maxItems} items` }]
      : []),
    ...(items === undefined ? [] : value.flatMap((item, index) => structureProblems(items, item, `${path}[${index}]`))),
    ...duplicates(schema, value, path),
  ];
}

/** Items of a set, or keys of a map, that were there before. */
function duplicates(schema: StructuralSchema, value: readonly Json[], path: string): readonly Problem[] {
  const identify = identity(schema);
  if (identify === undefined) return [];
  const seen = new Set<string>();
  return value.flatMap((item, index) => {
    const key = JSON.stringify(identify(item));
    if (seen.has(key)) return [{ path: `${path}[${index}]`, message: `Duplicate value: ${key}` }];
    seen.add(key);
    return [];
  });
}

function identity(schema: StructuralSchema): ((item: Json) => Json) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (keys !== undefined) {
    return (item) => Object.fromEntries(keys.map((key) => [key, (isObject(item) ? item[key] : undefined) ?? null]));
  }
  return schema['x-kubernetes-list-type'] === 'set' ? (item) => item : undefined;
}

function scalarProblems(schema: StructuralSchema, value: Json, path: string): readonly Problem[] {
  if (typeof value === 'number') return numberProblems(schema, value, path);
  if (typeof value === 'string') return stringProblems(schema, value, path);
  return [];
}

function numberProblems({ minimum, maximum }: StructuralSchema, got: number, path: string): readonly Problem[] {
  if (minimum !== undefined && got < minimum) {
    return [{ path, message: `${path} in body should be greater than or equal to ${minimum}`, got }];
  }
  if (maximum !== undefined && got > maximum) {
    return [{ path, message: `${path} in body should be less than or equal to ${maximum}`, got }];
  }
  return [];
}

function stringProblems(schema: StructuralSchema, got: string, path: string): readonly Problem[] {
  const { minLength = 0, maxLength = Infinity } = schema;
  const length = Array.from(got).length;
  return [
    ...(length < minLength
      ? [{ path, message: `${path} in body should be at least ${minLength} chars long`, got }]
      : []),
    ...(length > maxLength ? [{ path, message: `Too long: may not be more than ${maxLength} bytes` }] : []),
    ...enumProblems(schema, got, path),
  ];
}

const enumProblems = ({ enum: allowed }: StructuralSchema, value: Json, path: string): readonly Problem[] =>
  allowed === undefined || allowed.includes(value)
    ? []
    : [withGot({ path, message: `supported values: ${allowed.map((one) => JSON.stringify(one)).join(', ')}` }, value)];
