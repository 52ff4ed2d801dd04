/** Names for the objects and the lists of choices in schemas: what looks the same in many places has one name. */
import { capitalized } from '../../../constructs/parts/values/index.ts';
import type { StructuralSchema } from '../../../constructs/schema/structural.ts';

/** A schema, and the kind whose spec it is. */
export interface Placed {
  /** The kind: `ModelServing`. */
  readonly kind: string;
  readonly spec: StructuralSchema;
}

/** The names of shapes. */
export interface ShapeNames {
  /** A schema of each name; its description is of one of its places, and so is not told. */
  readonly schemas: ReadonlyMap<string, StructuralSchema>;
  /** The name of a shape; undefined where it needs none. */
  readonly of: (shape: string | undefined) => string | undefined;
}

/** Where a shape is: the kind, and the fields that lead to it. */
interface Place {
  readonly kind: string;
  readonly fields: readonly string[];
  readonly schema: StructuralSchema;
}

/**
 * What tells a schema that needs a name from others: all that is said of it but its own description and default, which
 * belong to the field.
 *
 * @returns undefined where it needs no name
 */
export function shapeOf(schema: StructuralSchema): string | undefined {
  const { type, properties = {} } = schema;
  if (type === 'string' && schema.enum !== undefined) return JSON.stringify(['choice', schema.enum]);
  return type === 'object' && Object.keys(properties).length > 0
    ? JSON.stringify(['object', properties, schema.required ?? []])
    : undefined;
}

/**
 * Names every shape by the shortest way to it: `EnvValueFrom`, with the kind in front where only one kind has it:
 * `ModelServingEngine`.
 */
export function nameShapes(roots: readonly Placed[]): ShapeNames {
  const places = new Map<string, Place[]>();
  for (const { kind, spec } of roots) {
    for (const place of placesIn({ kind, fields: [], schema: spec })) {
      const shape = shapeOf(place.schema);
      if (shape !== undefined) places.set(shape, [...(places.get(shape) ?? []), place]);
    }
  }
  const names = new Map<string, string>();
  const schemas = new Map<string, StructuralSchema>();
  for (const [shape, found] of places) {
    const name = nameFor(found, (taken) => schemas.has(taken));
    names.set(shape, name);
    schemas.set(name, shortest(found).schema);
  }
  return { schemas, of: (shape) => (shape === undefined ? undefined : names.get(shape)) };
}

function placesIn(place: Place): readonly Place[] {
  const { kind, fields, schema } = place;
  const { properties = {}, items, additionalProperties } = schema;
  const inside = Object.entries(properties).map(([field, child]) => ({
    kind,
    fields: [...fields, field],
    schema: child,
  }));
  const elements = [items, additionalProperties].flatMap((child) => child ?? []);
  return [place, ...[...inside, ...elements.map((child) => ({ kind, fields, schema: child }))].flatMap(placesIn)];
}

const shortest = (places: readonly Place[]): Place =>
  places.toSorted((a, b) => a.fields.length - b.fields.length)[0] as Place;

function nameFor(places: readonly Place[], isUsed: (name: string) => boolean): string {
  const { kind, fields } = shortest(places);
  const way = fields.length === 0 ? 'Spec' : fields.map(capitalized).join('');
  const shared = new Set(places.map((place) => place.kind)).size > 1;
  const candidates = shared ? [way, `${kind}${way}`] : [`${kind}${way}`];
  const name = candidates.find((candidate) => !isUsed(candidate));
  if (name === undefined) throw new Error(`two types of Pulumi's schema would be named ${candidates.join(' and ')}`);
  return name;
}
