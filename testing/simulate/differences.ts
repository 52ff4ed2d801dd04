import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../constructs/schema/json.ts';

/** Longest value in a message, in characters. */
const LONGEST = 120;

/** What the two values are called. */
export interface Sides {
  readonly one: string;
  readonly other: string;
}

/** Where two values differ, one line for each place: `status.url: "a" at first, "b" then`. */
export function differencesOf(one: unknown, other: unknown, sides: Sides, path = ''): readonly string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (isObject(one) && isObject(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names.flatMap((name) =>
      differencesOf(one[name], other[name], sides, path === '' ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((item, index) => differencesOf(item, other[index], sides, `${path}[${index}]`));
  }
  return [`${path}: ${shown(one)} ${sides.one}, ${shown(other)} ${sides.other}`];
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
