import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Fates } from './fates.ts';
import type { Fields, Note } from './fields.ts';

/** What a resource of others is here. */
export interface Converted {
  readonly kind: KindSchema;
  /** As a user would write it. */
  readonly spec: object;
}

/** The same, with all that a person must know of it. */
export interface Conversion extends Converted {
  /** @default - none beside those of the resource */
  readonly annotations?: Readonly<Record<string, string>>;
  /** What happens to its fields. */
  readonly fates?: Fates;
  /** @default - none beside those of its fields */
  readonly notes?: readonly Note[];
}

/** Reads a kind of others. */
export interface Reader {
  /** Its API group, whatever the version. */
  readonly group: string;
  readonly kind: string;
  /** What happens to each field of its schema. A test goes through all fields, and holds that it is so. */
  readonly fates: Fates;
  /**
   * What happens to fields otherwise, as the rest of the resource is: one of a few constants.
   *
   * @default - nothing
   */
  readonly fatesOf?: (fields: Fields) => Fates;
  /**
   * Labels and annotations that only the source's own programs read, by the beginning of their keys, with what to say of
   * them: they are not carried over.
   *
   * @default - none
   */
  readonly ownKeys?: Readonly<Record<string, string>>;
  /** @param fields - of the whole resource: `spec.…` */
  read(fields: Fields): Converted;
}
