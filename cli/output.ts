import { stringify } from 'yaml';
import type { Format } from './options.ts';

const STRUCTURED = {
  json: (data: unknown) => `${JSON.stringify(data, undefined, 2)}\n`,
  yaml: (data: unknown) => stringify(data, { aliasDuplicateObjects: false, lineWidth: 0 }),
} as const;

/**
 * Data in the format that was asked for.
 *
 * @param text - the same for a person
 */
export const formatted = (format: Format, data: unknown, text: () => string): string =>
  format === 'text' ? text() : structured(format, data);

/** Data as a program reads it. */
export const structured = (format: Exclude<Format, 'text'>, data: unknown): string => STRUCTURED[format](data);
