import type { Json, JsonObject } from '../../constructs/schema/json.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';
import { changesOf, type Change } from './changes.ts';
import { at, graft, locate, put, stepsOf, type Place } from './places.ts';
import { propertiesOf, schemaAt, type Property } from './properties.ts';
import { PODS, type Subject } from './subjects/subject.ts';

/** One change of one property. */
export interface Mutation {
  readonly path: string;
  /** As a sentence: `spec.replicas set to 3`. */
  readonly name: string;
  /** The name of the spec that it starts from. */
  readonly home: string;
  /** A spec with the property changed; one that doesn't have the property gets it from its home first. */
  readonly of: (spec: JsonObject) => JsonObject;
}

/** The schema of `spec`. */
export const specSchema = ({ kind }: Subject): StructuralSchema => kind.schema().properties?.['spec'] ?? {};

/** Every property of a kind. */
export const propertiesOfSubject = (subject: Subject): readonly Property[] => propertiesOf(specSchema(subject));

/** The specs that have the property; the one of pods has most, and is taken only where it alone has it. */
export function homesOf({ homes }: Subject, path: string): readonly string[] {
  const having = Object.keys(homes).filter((home) => locate(homes[home] ?? null, stepsOf(path)) !== undefined);
  return having.length > 1 ? having.filter((home) => home !== PODS) : having;
}

/** Every change of every property of a kind. */
export const mutationsOf = (subject: Subject): readonly Mutation[] =>
  propertiesOfSubject(subject).flatMap((property) => mutationsOfProperty(subject, property));

/** Every change of a property, in each of its homes. */
export const mutationsOfProperty = (subject: Subject, property: Property): readonly Mutation[] =>
  homesOf(subject, property.path).flatMap((home) => mutationsAtHome(subject, property, home));

function mutationsAtHome(subject: Subject, { path, schema }: Property, home: string): readonly Mutation[] {
  const whole = subject.homes[home] ?? {};
  const place = locate(whole, stepsOf(path)) ?? [];
  const required = (of: Place): readonly string[] => schemaAt(specSchema(subject), of)?.required ?? [];
  const withPlace = (spec: JsonObject): JsonObject => graft(spec, whole, place, required) as JsonObject;
  const added: Mutation = { path, name: `${path} added`, home, of: withPlace };
  const changes = changesOf(schema, valuesFor(subject, path));
  return [added, ...changes.map((change) => ({ path, name: `${path} ${change.name}`, home, of: mutator(change) }))];

  function mutator(change: Change) {
    return (spec: JsonObject): JsonObject => {
      const there = locate(spec, stepsOf(path));
      const given = there === undefined ? withPlace(spec) : spec;
      const where = there ?? place;
      return put(given, where, change.of(at(given, where) ?? null)) as JsonObject;
    };
  }
}

/** The values of the longest end of the path that has some. */
function valuesFor({ values }: Subject, path: string): readonly Json[] {
  const [end] = Object.keys(values)
    .filter((end) => path.endsWith(end))
    .toSorted((a, b) => b.length - a.length);
  return end === undefined ? [] : (values[end] ?? []);
}
