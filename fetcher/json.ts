import { passing } from './errors.ts';

/** Reads what a host answered without trusting its shape. */
export type Json = Readonly<Record<string, unknown>>;

/** The value as an object; empty where it is none. */
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** The value as a list of objects; empty where it is none. */
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

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
