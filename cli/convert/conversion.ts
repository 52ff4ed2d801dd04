import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Fields, Hints, Note } from './fields.ts';

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
  /** What to say of fields that have no equal. */
  readonly hints?: Hints;
  /** @default - none beside those of its fields */
  readonly notes?: readonly Note[];
}

/** Reads a kind of others. */
export interface Reader {
  /** Its API group, whatever the version. */
  readonly group: string;
  readonly kind: string;
  /** What to say of fields that have no equal. */
  readonly hints: Hints;
  /** @param fields - of the whole resource: `spec.…` */
  read(fields: Fields): Converted;
}
