/**
 * What a schema gives for a value that has been parsed: what is absent is absent, never `undefined`, and nobody changes
 * it any more.
 */
export type Parsed<T> = T extends readonly (infer Item)[]
  ? readonly Parsed<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Parsed<Exclude<T[K], undefined>> }
    : T;

/** What a user may write where a schema reads it: lists may be read-only, and `undefined` is the same as absent. */
export type Written<T> = T extends readonly (infer Item)[]
  ? readonly Written<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Written<T[K]> }
    : T;
