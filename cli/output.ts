import { stringify } from 'yaml';
import type { Io } from './io.ts';
import type { Format } from './options.ts';

/**
 * Prints data in the format that was asked for.
 *
 * @param text - the same for a person
 */
export function print(io: Pick<Io, 'out'>, format: Format, data: unknown, text: () => string): void {
  io.out(format === 'text' ? text() : STRUCTURED[format](data));
}

/** Data as a program reads it. */
const STRUCTURED = {
  json: (data: unknown) => `${JSON.stringify(data, undefined, 2)}\n`,
  yaml: (data: unknown) => stringify(data, { aliasDuplicateObjects: false, lineWidth: 0 }),
} as const;
