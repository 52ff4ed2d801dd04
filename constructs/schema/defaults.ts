import { isList, isObject, mapValues, own, type Json, type JsonObject } from './json.ts';
import type { StructuralSchema } from './structural.ts';

/**
 * A value with the defaults of its schema filled in, in the way of the API server: from the outside in, so that the
 * default `{}` of an object gets the defaults of its fields. A field that is null and has no default goes: that is how
 * YAML has one that nothing was written behind.
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
  const schemaOf = (name: string) => own(properties, name) ?? additionalProperties;
  const filled: JsonObject = { ...value, ...Object.fromEntries(missing) };
  const given = Object.entries(filled).filter(([name, child]) => child !== null || schemaOf(name) === undefined);
  return mapValues(Object.fromEntries(given), (child, name) => {
    const of = schemaOf(name);
    return of === undefined ? child : withDefaults(of, child);
  });
}
