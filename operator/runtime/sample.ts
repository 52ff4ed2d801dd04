import type { Json, JsonObject } from '../../constructs/schema/json.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';

/** Which fields a sample has. */
export type Extent = 'all' | 'required';

/**
 * A value that a schema takes, as far as its types, bounds and enums tell; patterns and rules it knows nothing of.
 *
 * @param extent - whether it has what may be left out as well
 */
export function sampleOf(schema: StructuralSchema, extent: Extent): Json {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0] ?? null;
  if (schema['x-kubernetes-int-or-string'] === true) return schema.minimum ?? 1;
  switch (schema.type) {
    case 'object':
      return objectOf(schema, extent);
    case 'array':
      return listOf(schema, extent);
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, schema.minimum ?? 1), schema.maximum ?? Infinity);
    case 'boolean':
      return extent === 'all';
    case 'string':
      return 'a'.repeat(Math.max(1, schema.minLength ?? 1)).slice(0, schema.maxLength ?? Infinity);
    default:
      return {};
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: StructuralSchema,
  extent: Extent,
): JsonObject {
  const named = Object.entries(properties).filter(([name]) => extent === 'all' || required.includes(name));
  const fields = Object.fromEntries(named.map(([name, schema]) => [name, sampleOf(schema, extent)]));
  const isOpen = extent === 'all' && additionalProperties !== undefined && named.length === 0;
  return isOpen ? { a: sampleOf(additionalProperties, extent) } : fields;
}

function listOf({ items = {}, minItems = 0 }: StructuralSchema, extent: Extent): readonly Json[] {
  const count = Math.max(minItems, extent === 'all' ? 1 : 0);
  return Array.from({ length: count }, () => sampleOf(items, extent));
}
