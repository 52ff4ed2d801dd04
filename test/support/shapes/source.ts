import { READERS } from '../../../compat/convert/convert.ts';
import type { Reader } from '../../../compat/convert/conversion.ts';
import type { Manifest } from '../../../constructs/index.ts';
import type { Json } from '../../../constructs/schema/json.ts';

/** A schema of others, and what it takes to look at each of its fields. */
export interface Source {
  readonly schema: string;
  readonly reader: Reader;
  /** Resources into which each field is put: one for each form that the schema has. */
  readonly bases: readonly Manifest[];
  /** Keys of maps, by the path of the map. */
  readonly keys?: readonly (readonly [RegExp, readonly string[]])[];
  /** Values of fields that take only certain ones. */
  readonly samples?: readonly (readonly [RegExp, Json])[];
}

/** The reader of a kind of others. */
export function readerOf(kind: string, group: string): Reader {
  const found = READERS.find((reader) => reader.kind === kind && reader.group === group);
  if (found === undefined) throw new Error(`${kind} of ${group} is not read`);
  return found;
}

/** A resource of others. */
export const resource = (apiVersion: string, kind: string, spec: object): Manifest => ({
  apiVersion,
  kind,
  metadata: { name: 'sample', namespace: 'models' },
  spec,
});
