/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object that JSON can hold. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** An object as JSON has it, of whose values nothing is known. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Whether a value is a list. */
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Whether a value is an object, and no list. */
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): value is PlainObject;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; empty where it is none. */
export const objectIn = (value: unknown): PlainObject => (isObject(value) ? value : {});

/** The field of an object of that name, and nothing that it inherits: `constructor` may be a label. */
export const own = <T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;

/** The same object with every value changed. */
export const mapValues = <From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Record<string, To> => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/** The path of a field of the value at a path: `spec` and `.replicas` make `spec.replicas`. The root's path is empty. */
export const under = (path: string, fieldPath: string): string => (path === '' ? fieldPath.slice(1) : path + fieldPath);
