import { type FieldSet, placeOf } from './owned-fields.ts';

/**
 * Arithmetic on sets of fields as managedFields have them (FieldsV1): `f:NAME` a field, `k:{…}` the item of a list with
 * these keys, `v:…` the item of a set, `.` the thing itself. A thing with nothing below it is owned as a whole. The empty
 * set is undefined.
 */

const ITSELF = '.';

/** The set of one field, given as a path: `['spec', 'replicas']`. */
export const fieldAt = (path: readonly string[]): FieldSet =>
  path.reduceRight<FieldSet>((inner, name) => ({ [`f:${name}`]: inner }), {});

/** The fields of all sets. */
export const union = (sets: readonly (FieldSet | undefined)[]): FieldSet | undefined =>
  sets.reduce((all, set) => (all === undefined ? set : set === undefined ? all : merged(all, set)), undefined);

/** The fields of one set that another has not, and under which it has nothing either. */
export function difference(from: FieldSet | undefined, less: FieldSet | undefined): FieldSet | undefined {
  if (from === undefined || less === undefined) return from;
  if (Object.keys(less).length === 0) return undefined;
  // Anyone who owns something of a thing keeps it there, so that it can't be removed as a whole.
  return mapped(from, (inner, name) => (name === ITSELF ? undefined : difference(inner, below(less, name))));
}

/** The fields of a set that a value has. */
export function within(set: FieldSet | undefined, value: unknown): FieldSet | undefined {
  if (set === undefined || value === undefined) return undefined;
  if (Object.keys(set).length === 0) return set;
  return mapped(set, (inner, name) => (name === ITSELF ? inner : within(inner, valueIn(value, name))));
}

/** Whether a set has a field, or something below it. */
export const has = (set: FieldSet | undefined, path: readonly string[]): boolean =>
  path.reduce<FieldSet | undefined>((inner, name) => inner && below(inner, `f:${name}`), set) !== undefined;

/** The fields of a set, as the steps that lead from a value to them: keys, and places in lists. */
export function placesOf(set: FieldSet | undefined, value: unknown): readonly (readonly (string | number)[])[] {
  if (set === undefined || value === undefined) return [];
  const names = Object.keys(set).filter((name) => name !== ITSELF);
  if (names.length === 0) return [[]];
  return names.flatMap((name) => {
    const [step, inner] = [stepTo(value, name), below(set, name) ?? {}];
    if (step === undefined) return [];
    // A list's item goes as a whole; a map stays, since others may have something in it.
    if (name.startsWith('k:') && ITSELF in inner) return [[step]];
    return placesOf(inner, valueIn(value, name)).map((rest) => [step, ...rest]);
  });
}

const merged = (a: FieldSet, b: FieldSet): FieldSet => {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const inner = names.map((name) => [name, union([below(a, name), below(b, name)]) ?? {}] as const);
  const isWhole = [a, b].some((set) => Object.keys(set).length === 0);
  return { ...(isWhole && names.length > 0 && { [ITSELF]: {} }), ...Object.fromEntries(inner) };
};

/** What `change` leaves of each part; undefined where it leaves nothing. */
function mapped(
  set: FieldSet,
  change: (inner: FieldSet | undefined, name: string) => FieldSet | undefined,
): FieldSet | undefined {
  const kept = Object.keys(set).flatMap((name) => {
    const inner = change(below(set, name), name);
    return inner === undefined ? [] : [[name, inner] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

const below = (set: FieldSet, name: string): FieldSet | undefined => set[name] as FieldSet | undefined;

function stepTo(value: unknown, name: string): string | number | undefined {
  if (name.startsWith('f:')) return name.slice(2);
  const place = Array.isArray(value) ? placeOf(value, name) : -1;
  return place === -1 ? undefined : place;
}

function valueIn(value: unknown, name: string): unknown {
  const step = stepTo(value, name);
  if (step === undefined || typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string | number, unknown>>)[step];
}
