import { isObject, own } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';

/** The paths of a spec that its kind does not know. */
export const unknownFieldsOf = (kind: KindSchema, spec: unknown): readonly string[] =>
  unknownIn(kind.schema().properties?.['spec'] ?? {}, spec as Json, 'spec');

function unknownIn(
  { properties, additionalProperties }: StructuralSchema,
  value: Json,
  path: string,
): readonly string[] {
  if (!isObject(value) || (properties === undefined && additionalProperties === undefined)) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const schema = own(properties, name) ?? additionalProperties;
    return schema === undefined ? [`${path}.${name}`] : unknownIn(schema, child, `${path}.${name}`);
  });
}
