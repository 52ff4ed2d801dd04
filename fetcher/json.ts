import { objectIn, type PlainObject } from '../constructs/schema/json.ts';
import { passing } from './errors.ts';

/** The value as a list of objects; empty where it is none. */
export const listOf = (value: unknown): PlainObject[] => (Array.isArray(value) ? value.map(objectIn) : []);

/** The value as text; undefined where it is none. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A count (of bytes, of files) as a number or in digits; undefined where the value can be none. */
export function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/**
 * JSON, read.
 *
 * @throws FetchError that may pass, where it is none: a proxy may have answered
 */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw passing('the answer is not JSON', { cause });
  }
}
