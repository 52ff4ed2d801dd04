import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../constructs/schema/json.ts';

/** Longest value in a message, in characters. */
const LONGEST = 120;

/** Where two values differ, one line for each place: `status.url: "a" or "b"`. */
export function differencesOf(one: unknown, other: unknown, path = ''): readonly string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (isObject(one) && isObject(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names.flatMap((name) => differencesOf(one[name], other[name], path === '' ? name : `${path}.${name}`));
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((item, index) => differencesOf(item, other[index], `${path}[${index}]`));
  }
  return [`${path}: ${shown(one)} or ${shown(other)}`];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
