import type { ValueForm } from './values.ts';

/** The objects that a user's annotations reach. */
export const ANNOTATION_CLASSES = ['ingress', 'serviceAccount', 'pod'] as const;

export type AnnotationClass = (typeof ANNOTATION_CLASSES)[number];

/** Annotations that one program reads, and that are safe in the hands of anybody who may make a workload. */
export interface AnnotationGroup {
  /** The program. */
  readonly reader: string;
  /** Its own documentation, from which the group was made. */
  readonly source: string;
  /** Why these are safe, and which are left out on purpose. */
  readonly why: string;
  /** Each key with what its value may be. A key that ends with `*` stands for all that begin as it does. */
  readonly keys: Readonly<Record<string, ValueForm>>;
}

/** The same keys with a prefix before each. */
export const under = (prefix: string, keys: Readonly<Record<string, ValueForm>>): Readonly<Record<string, ValueForm>> =>
  Object.fromEntries(Object.entries(keys).map(([name, form]) => [`${prefix}/${name}`, form]));
