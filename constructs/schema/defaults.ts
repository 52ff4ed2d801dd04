import { isList, isObject, mapValues, own, type Json, type JsonObject } from './json.ts';
import type { StructuralSchema } from './structural.ts';

/**
 * A value with the defaults of its schema filled in, in the way of the API server: from the outside in, so that the
 * default `{}` of an object gets the defaults of its fields.
 */
export function withDefaults(schema: StructuralSchema, value: Json): Json {
  if (isList(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => withDefaults(items, item));
  }
  if (!isObject(value)) return value;
  const { properties = {}, additionalProperties } = schema;
  const missing = Object.entries(properties).flatMap(([name, child]) =>
    child.default !== undefined && (value[name] === undefined || value[name] === null) ? [[name, child.default]] : [],
  );
  const filled: JsonObject = { ...value, ...Object.fromEntries(missing) };
  return mapValues(filled, (child, name) => {
    const of = own(properties, name) ?? additionalProperties;
    return of === undefined ? child : withDefaults(of, child);
  });
}
