/**
 * What a schema gives for a value that has been parsed: what is absent is absent, never `undefined`, and nobody changes
 * it any more.
 */
export type Parsed<T> = T extends readonly (infer Item)[]
  ? readonly Parsed<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Parsed<Exclude<T[K], undefined>> }
    : T;
