import { isDeepStrictEqual } from 'node:util';
import { isList, isObject, mapValues, type Json } from '../../constructs/schema/json.ts';

/** The same JSON, once for each text that may vary: with another placeholder for that one alone. */
export type Variants<Key> = ReadonlyMap<Key, Json>;

/** A path as its steps. */
export type Steps = readonly (string | number)[];

/**
 * Merges what varies into what stays: each smallest part of `base` that is another in some variants is replaced by what
 * `vary` gives for them. Whatever was made of a text is found that way: a part of it, a hash in a name, a whole list.
 */
export function merge<Key>(
  base: Json,
  variants: Variants<Key>,
  vary: (keys: readonly Key[], at: Steps) => unknown,
  at: Steps = [],
): unknown {
  const others = varying(base, variants);
  if (others.size === 0) return base;
  if (!areAlike(base, [...others.values()])) return vary([...others.keys()], at);
  const child = (value: Json, key: string | number) => merge(value, stepInto(others, key), vary, [...at, key]);
  return isList(base) ? base.map(child) : isObject(base) ? mapValues(base, child) : base;
}

/**
 * The first place at which `actual` is another than `base` though no variant is.
 *
 * @returns undefined where there is none
 */
export function strayed(base: Json, variants: Variants<unknown>, actual: Json, at: Steps = []): Steps | undefined {
  const others = varying(base, variants);
  if (others.size > 0 && !areAlike(base, [...others.values()])) return undefined;
  if (!areAlike(base, [actual])) return isDeepStrictEqual(base, actual) ? undefined : at;
  for (const key of keysOf(base)) {
    const found = strayed(stepped(base, key), stepInto(others, key), stepped(actual, key), [...at, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What lies at a path. */
export const valueAt = (value: Json, at: Steps): Json => at.reduce(stepped, value);

const varying = <Key>(base: Json, variants: Variants<Key>): Variants<Key> =>
  new Map([...variants].filter(([, variant]) => !isDeepStrictEqual(variant, base)));

/** Whether all are lists or objects with the same places. */
const areAlike = (base: Json, others: readonly Json[]): boolean =>
  (isList(base) || isObject(base)) &&
  others.every((other) => isList(other) === isList(base) && isDeepStrictEqual(keysOf(other), keysOf(base)));

const keysOf = (value: Json): readonly (string | number)[] => {
  if (isList(value)) return value.map((_, index) => index);
  return isObject(value) ? Object.keys(value).toSorted() : [];
};

const stepped = (value: Json, key: string | number): Json => {
  if (isList(value)) return value[Number(key)] ?? null;
  return isObject(value) ? (value[key] ?? null) : null;
};

const stepInto = <Key>(variants: Variants<Key>, key: string | number): Variants<Key> =>
  new Map([...variants].map(([name, variant]) => [name, stepped(variant, key)]));
