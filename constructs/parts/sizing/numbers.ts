import { objectIn, type PlainObject } from '../../schema/json.ts';

/** The largest number that a config may have: more is a mistake, or an attack. */
const LARGEST = 2 ** 40;

/** The first of the fields that is a whole number above 0; undefined where none is. */
export function countIn(config: PlainObject, fields: readonly string[]): number | undefined {
  return fields
    .map((field) => config[field])
    .find((value): value is number => Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= LARGEST);
}

/** A field as text; empty where it is none. */
export function textIn(config: PlainObject, field: string): string {
  const value = config[field];
  return typeof value === 'string' ? value : '';
}

/** A field as a list of texts; undefined where it is none. */
export function textsIn(config: PlainObject, field: string): readonly string[] | undefined {
  const value = config[field];
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
    ? value
    : undefined;
}

/** The part of a config that is about text: models that see have it in a field of its own. */
export function textConfig(config: PlainObject): PlainObject {
  const nested = ['text_config', 'llm_config', 'language_config']
    .map((field) => objectIn(config[field]))
    .find((each) => Object.keys(each).length > 0);
  return nested === undefined ? config : { ...config, ...nested };
}
