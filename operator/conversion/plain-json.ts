import { isObject, type Json } from '../../constructs/schema/json.ts';

/** Most levels of a spec. The types of users may take any JSON. */
const DEEPEST = 100;

/** Most values in a spec. The API server takes objects of 3 MiB, and a value takes two bytes of it. */
const MOST_VALUES = 2_000_000;

/** A value that JSON can't hold. */
export class NoJsonError extends Error {
  override readonly name = 'NoJsonError';
}

/**
 * A copy of a value as JSON has it; fields that are undefined are left out. Integers that JavaScript can't hold stay as
 * `parseJson` made them.
 *
 * @param path - where the value is, for errors
 * @throws NoJsonError where it is not JSON, is deeper or larger than any spec, or holds itself
 */
export function plainJson(value: unknown, path: string): Json {
  let left = MOST_VALUES;

  function copy(one: unknown, at: string, depth: number): Json {
    if (depth > DEEPEST) throw new NoJsonError(`${path} is more than ${DEEPEST} levels deep, or holds itself`);
    left -= 1;
    if (left < 0) throw new NoJsonError(`${path} has more than ${MOST_VALUES} values`);
    if (one === null || typeof one === 'boolean' || typeof one === 'string') return one;
    if (typeof one === 'number' && Number.isFinite(one)) return one;
    if (JSON.isRawJSON(one)) return one as unknown as Json;
    if (Array.isArray(one)) return Array.from(one, (item, place) => copy(item, `${at}[${place}]`, depth + 1));
    if (!isObject(one) || !isPlain(one)) throw new NoJsonError(`${at} is ${kindOf(one)}, and JSON has no such value`);
    const fields = Object.entries(one).filter(([, field]) => field !== undefined);
    return Object.fromEntries(fields.map(([name, field]) => [name, copy(field, `${at}.${name}`, depth + 1)]));
  }

  return copy(value, path, 0);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** `NaN`, `undefined`, `a function`, `a Date`. */
function kindOf(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' ? String(value) : `of type ${typeof value}`;
  if (value instanceof Promise) return 'a promise';
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? `a ${name}` : 'an object of a class';
}
