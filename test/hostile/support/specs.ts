import * as fc from 'fast-check';
import type { StructuralSchema } from '../../../constructs/schema/structural.ts';
import { edge } from './edges.ts';
import type { TenantKind } from './kinds.ts';

/** A change that a hostile tenant makes to a spec: a value of a place of the schema, at the edge of what is allowed. */
export interface Change {
  readonly place: readonly string[];
  readonly value: unknown;
}

/** A spec that is as it should be, and what a hostile tenant would make of it, one change after the other. */
export interface HostileSpec {
  readonly kind: TenantKind;
  readonly valid: object;
  readonly changes: readonly Change[];
}

/** So many changes are tried on each: most of them the API server refuses. */
const CHANGES = 12;

export const hostileSpec = (kind: TenantKind): fc.Arbitrary<HostileSpec> =>
  fc.record({
    kind: fc.constant(kind),
    valid: kind.valid,
    changes: fc.array(change(kind.spec), { minLength: CHANGES, maxLength: CHANGES }),
  });

const change = (spec: StructuralSchema): fc.Arbitrary<Change> =>
  fc
    .constantFrom(...placesOf(spec))
    .chain(({ place, schema }) => fc.record({ place: fc.constant(place), value: edge(schema, place.length) }));

interface Place {
  readonly place: readonly string[];
  readonly schema: StructuralSchema;
}

/** Stands for the first item of a list, and for the first key of a map. */
const FIRST = '*';

/** All fields of a schema, those of the first item of a list or a map among them. */
export function placesOf(schema: StructuralSchema, place: readonly string[] = []): readonly Place[] {
  const { properties = {}, items, additionalProperties } = schema;
  const first = items ?? additionalProperties;
  const inner = Object.entries(properties).flatMap(([name, field]) => placesOf(field, [...place, name]));
  const firsts = first === undefined ? [] : placesOf(first, [...place, FIRST]);
  return [...(place.length === 0 ? [] : [{ place, schema }]), ...inner, ...firsts];
}

/** The same spec with a change; what leads to its place is made where it is missing, but for items. */
export function changed(spec: unknown, { place, value }: Change): unknown {
  const [name, ...rest] = place;
  if (name === undefined) return value;
  const inner = (of: unknown): unknown => changed(of, { place: rest, value });
  if (name === FIRST) {
    if (Array.isArray(spec)) return spec.map((item, i) => (i === 0 ? inner(item) : item));
    if (typeof spec !== 'object' || spec === null) return spec;
    return Object.fromEntries(Object.entries(spec).map(([key, each], i) => [key, i === 0 ? inner(each) : each]));
  }
  const before = typeof spec === 'object' && spec !== null && !Array.isArray(spec) ? spec : {};
  return { ...before, [name]: inner((before as Record<string, unknown>)[name]) };
}
