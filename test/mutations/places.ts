import { isList, isObject, own, type Json, type JsonObject } from '../../constructs/schema/json.ts';

/** Where a value is: names of fields and indexes of items, from the outside in. */
export type Place = readonly (string | number)[];

/** The steps of a property's path: `spec.env[].name` is env, an item, name; `{}` is any key of a map. */
export const stepsOf = (path: string): readonly string[] =>
  path
    .replace(/^spec\.?/, '')
    .replaceAll('[]', '.[]')
    .replaceAll('{}', '.{}')
    .split('.')
    .filter((step) => step !== '');

/** The first place of a value where a property is given: of a list, any item may have it. */
export function locate(value: Json, steps: readonly string[]): Place | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return [];
  for (const key of keysFor(value, step)) {
    const inner = locate(at(value, [key]) ?? null, rest);
    if (inner !== undefined) return [key, ...inner];
  }
  return undefined;
}

function keysFor(value: Json, step: string): Place {
  if (step === '[]') return isList(value) ? value.map((_, index) => index) : [];
  if (!isObject(value)) return [];
  if (step === '{}') return Object.keys(value);
  return Object.hasOwn(value, step) ? [step] : [];
}

/** What is at a place; undefined where nothing is. */
export const at = (value: Json, place: Place): Json | undefined =>
  place.reduce<Json | undefined>((inner, key) => {
    if (typeof key === 'number') return isList(inner) ? inner[key] : undefined;
    return isObject(inner) ? own(inner, key) : undefined;
  }, value);

/** The same value with another one at a place, or with none: an item that goes makes its list shorter. */
export function put(value: Json, place: Place, inner: Json | undefined): Json {
  const [key, ...rest] = place;
  if (key === undefined) return inner ?? null;
  const next =
    rest.length === 0 ? inner : put(at(value, [key]) ?? (typeof rest[0] === 'number' ? [] : {}), rest, inner);
  if (typeof key === 'number') {
    const items = isList(value) ? value : [];
    return next === undefined ? items.toSpliced(key, 1) : items.toSpliced(key, 1, next);
  }
  const fields: JsonObject = isObject(value) ? value : {};
  // A computed key, and so a field of its own even where it is called __proto__.
  if (next !== undefined) return { ...fields, [key]: next };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));
}

/**
 * A value that has what `home` has at a place. Of an object that is missing on the way, only the next step is taken and
 * what the object needs; of a list, the whole item.
 *
 * @param required - the names of the fields that the object at a place needs
 */
export function graft(value: Json, home: Json, place: Place, required: (place: Place) => readonly string[]): Json {
  for (let length = 1; length <= place.length; length += 1) {
    const here = place.slice(0, length);
    if (at(value, here) !== undefined) continue;
    if (typeof here.at(-1) === 'number') return append(value, here.slice(0, -1), at(home, here) ?? null);
    return put(value, here, scion(home, place, length, required));
  }
  return value;
}

function scion(home: Json, place: Place, length: number, required: (place: Place) => readonly string[]): Json {
  const here = place.slice(0, length);
  const whole = at(home, here) ?? null;
  const next = place[length];
  if (next === undefined) return whole;
  if (isList(whole)) return typeof next === 'number' ? [whole[next] ?? null] : whole;
  if (!isObject(whole) || typeof next !== 'string') return whole;
  const kept = Object.entries(whole).filter(([name]) => required(here).includes(name));
  return { ...Object.fromEntries(kept), [next]: scion(home, place, length + 1, required) };
}

const append = (value: Json, place: Place, item: Json): Json => {
  const list = at(value, place);
  return put(value, place, [...(isList(list ?? null) ? (list as readonly Json[]) : []), item]);
};
