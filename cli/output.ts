import { escapeUnseen, plainValues } from '../constructs/parts/values/index.ts';
import { printYaml } from '../yaml/print.ts';
import type { Format } from './options.ts';

const STRUCTURED = {
  json: (data: unknown) => `${escapeUnseen(JSON.stringify(data, undefined, 2))}\n`,
  yaml: printYaml,
} as const;

/**
 * Data for a person to read, each text of it plain and in one line: text of others begins no line, where it could be
 * taken for what a command itself says.
 */
export const inLines = <T>(data: T): T => plainValues(data);

/**
 * Data in the format that was asked for.
 *
 * @param text - the same for a person
 */
export const formatted = (format: Format, data: unknown, text: () => string): string =>
  format === 'text' ? text() : structured(format, data);

/** Data as a program reads it. */
export const structured = (format: Exclude<Format, 'text'>, data: unknown): string => STRUCTURED[format](data);
