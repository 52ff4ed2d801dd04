import { isList, isObject, own } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';

/** Where a value is in a resource: the names of fields, and the indices of items. */
export type Place = readonly (string | number)[];

/** A place as people write it: `spec.containers[0].image`. A name that is no plain word stands in brackets. */
export const written = (place: Place): string =>
  place
    .map((step) => (typeof step === 'string' && /^[\w-]+$/.test(step) ? `.${step}` : `[${step}]`))
    .join('')
    .replace(/^\./, '');

/** The path of a field, whatever the items that it is in: `spec.containers.image`. */
export const plainPath = (place: Place): string => place.filter((step) => typeof step === 'string').join('.');

/** The value at a place; undefined where there is none. */
export const valueAt = (root: Json, place: Place): Json | undefined =>
  place.reduce<Json | undefined>((value, step) => {
    if (isList(value)) return value[Number(step)];
    return isObject(value) ? own(value, String(step)) : undefined;
  }, root);

/** The same value without what is at a place below it. */
export function without(root: Json, [step, ...rest]: Place): Json {
  if (step === undefined || !isObject(root)) return root;
  const { [step]: child, ...others } = root;
  return rest.length === 0 || child === undefined ? others : { ...root, [step]: without(child, rest) };
}
