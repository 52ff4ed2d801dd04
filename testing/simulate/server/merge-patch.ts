import { isObject } from '../../../constructs/schema/json.ts';

/** A value with a JSON merge patch (RFC 7386): null takes a field away, a list takes the place of a list. */
export function mergePatched(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const patched: Record<string, unknown> = isObject(value) ? { ...value } : {};
  for (const [name, change] of Object.entries(patch)) {
    if (change === null || change === undefined) delete patched[name];
    else patched[name] = mergePatched(patched[name], change);
  }
  return patched;
}
