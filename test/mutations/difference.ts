import { isDeepStrictEqual } from 'node:util';

/**
 * Where what is there is not what is wanted, as a path; undefined where it is. What is empty, or zero in Go, the API
 * server leaves out as it likes.
 */
export function difference(wanted: unknown, got: unknown, path: string = ''): string | undefined {
  if (got === undefined) return isZero(wanted) ? undefined : `${path} is missing`;
  if (wanted === undefined) return `${path} is too much`;
  if (isObject(wanted) && isObject(got) && Array.isArray(wanted) === Array.isArray(got)) {
    return Object.keys({ ...wanted, ...got })
      .map((key) => difference(own(wanted, key), own(got, key), `${path}.${key}`))
      .find((found) => found !== undefined);
  }
  return isDeepStrictEqual(wanted, got)
    ? undefined
    : `${path} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`;
}

const isZero = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === 0 ||
  value === '' ||
  value === false ||
  (isObject(value) && Object.values(value).every(isZero));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const own = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
