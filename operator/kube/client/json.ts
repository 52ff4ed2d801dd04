/**
 * JSON without silent loss. `JSON.parse` rounds integers beyond 2^53 - 1; an int64 that passed through it and was
 * written back would be changed. Here such an integer becomes a `JSON.rawJSON` value, which `JSON.stringify` writes
 * back digit for digit. It is an object, so a schema that expects a number refuses it instead of reading it wrongly.
 */

/** What `JSON.rawJSON` makes. */
export interface RawJson {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): RawJson;
    isRawJSON(value: unknown): value is RawJson;
  }
}

/** Sixteen digits where a number may stand. A false alarm (such text inside a string) costs time, nothing else. */
const MAY_HOLD_LARGE_INTEGER = /[:,[]\s*-?\d{16}/;

const INTEGER = /^-?\d+$/;

/** As `JSON.parse`, but integers beyond `Number.MAX_SAFE_INTEGER` keep their digits. */
export function parseJson(text: string): unknown {
  return MAY_HOLD_LARGE_INTEGER.test(text) ? JSON.parse(text, keepLargeIntegers) : JSON.parse(text);
}

function keepLargeIntegers(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return context.source !== undefined && INTEGER.test(context.source) ? JSON.rawJSON(context.source) : value;
}

/** What JSON may hold as it is, and YAML may not, or takes for the end of a line. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * As `JSON.stringify`, and YAML of the same meaning as well: the API server reads an apply as YAML, whatever it is. Such
 * characters occur only inside texts, where an escape stands for them.
 */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
