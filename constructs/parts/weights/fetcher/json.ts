/** Reads what a host answered without trusting its shape. */
export type Json = Readonly<Record<string, unknown>>;

/** The value as an object; empty where it is none. */
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** The value as a list of objects; empty where it is none. */
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

/** The value as text; undefined where it is none. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
