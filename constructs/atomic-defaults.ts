import type { PlainObject } from './schema/json.ts';

/**
 * Writes out what the API server defaults inside structures that it treats as one value (`+structType=atomic`): anyone who
 * applies such a structure owns it whole, defaults included, so a manifest without them would never equal what it made.
 * Of the structures that constructs render only a field selector has a default: `apiVersion: v1`.
 */
export function withAtomicDefaults<T>(value: T): T {
  return visit(value) as T;
}

function visit(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visit);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === 'fieldRef' && isPlain(inner) && typeof inner['fieldPath'] === 'string'
        ? [key, { apiVersion: 'v1', ...inner }]
        : [key, visit(inner)],
    ),
  );
}

/** Only plain objects have fields of a manifest; instances of classes (cdk8s' lazy values) render themselves. */
function isPlain(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
