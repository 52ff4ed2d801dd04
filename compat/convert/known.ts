import { isList, isObject, own } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';
import { structureProblems } from '../../constructs/schema/structure.ts';
import type { Place } from './place.ts';

/** Where a value is, and who is told what of it is known. */
interface Walk {
  readonly at: Place;
  readonly take: (place: Place) => void;
}

/** The part of a value that a schema knows and allows; undefined where that is nothing. */
export function known(schema: StructuralSchema, value: Json, walk: Walk): Json | undefined {
  if (isList(value) && value.length > 0 && schema.items !== undefined) return knownItems(schema.items, value, walk);
  if (isObject(value) && Object.keys(value).length > 0 && isOpen(schema)) return knownFields(schema, value, walk);
  const given = isAmount(schema) && typeof value === 'number' ? amount(value) : value;
  if (structureProblems(schema, given, '').length > 0) return undefined;
  walk.take(walk.at);
  return given;
}

const isOpen = ({ properties, additionalProperties }: StructuralSchema): boolean =>
  properties !== undefined || additionalProperties !== undefined;

function knownItems(schema: StructuralSchema, list: readonly Json[], { at, take }: Walk): Json | undefined {
  const items = list.flatMap((item, index) => known(schema, item, { at: [...at, index], take }) ?? []);
  return items.length === 0 ? undefined : items;
}

function knownFields(schema: StructuralSchema, value: Json, { at, take }: Walk): Json | undefined {
  const fields = Object.entries(isObject(value) ? value : {}).flatMap(([name, field]) => {
    const child = own(schema.properties, name) ?? schema.additionalProperties;
    const part = child && known(child, field, { at: [...at, name], take });
    return part === undefined ? [] : [[name, part] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

const isAmount = (schema: StructuralSchema): boolean => schema['x-kubernetes-int-or-string'] === true;

/** An amount with a fraction, as a text: that is what our schemas take. */
const amount = (value: number): Json => (Number.isInteger(value) ? value : String(value));

/**
 * The schema of a field of ours.
 *
 * @param path - without the indices of lists: `spec.podTemplate.spec.containers.env`
 * @throws Error where there is no such field
 */
export function schemaOf(kind: KindSchema, path: string): StructuralSchema {
  return path.split('.').reduce<StructuralSchema>((schema, name) => {
    const found = own((schema.items ?? schema).properties, name);
    if (found === undefined) throw new Error(`${kind.kind} has no field ${path}`);
    return found;
  }, kind.schema());
}
