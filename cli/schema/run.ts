import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { structured } from '../output.ts';
import { isCalled, SCHEMAS } from '../schemas.ts';
import { editorSchema, editorSchemaOf } from './editor.ts';

/** The options of `trunnion schema`. */
export interface SchemaOptions {
  readonly output: 'json' | 'yaml';
}

/** Prints the JSON Schema of a kind, or of all. */
export function runSchema(io: Io, word: string | undefined, { output }: SchemaOptions): void {
  const kind = SCHEMAS.find((schema) => word !== undefined && isCalled(schema, word));
  if (word !== undefined && kind === undefined) {
    throw new UsageError(`${word} is no kind; there are: ${SCHEMAS.map((schema) => schema.kind).join(', ')}`);
  }
  io.out(structured(output, kind === undefined ? editorSchemaOf(SCHEMAS) : editorSchema(kind)));
}
