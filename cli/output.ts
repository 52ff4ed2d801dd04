import { Document, visit } from 'yaml';
import { escapeUnseen, isPlain, plainValues } from '../constructs/parts/plain-text.ts';
import type { Format } from './options.ts';

const STRUCTURED = {
  json: (data: unknown) => `${escapeUnseen(JSON.stringify(data, undefined, 2))}\n`,
  yaml: (data: unknown) => yamlText(data),
} as const;

/**
 * Data as YAML. What nobody would see in it is escaped, which needs quotes: it means the same, and steers no terminal.
 *
 * @param options - of the notation
 */
export function yamlText(data: unknown, options: { readonly compat?: 'yaml-1.1' } = {}): string {
  const document = new Document(data, { aliasDuplicateObjects: false, ...options });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && (!isPlain(node.value) || isBlank(node.value))) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeUnseen(document.toString({ lineWidth: 0 }), yamlEscape);
}

/** Blanks before a newline are lost in a block of lines that has nothing else: who reads it takes them for its indentation. */
const isBlank = (text: string): boolean => text.trim() === '' && text.includes('\n');

const yamlEscape = (codePoint: number): string =>
  codePoint > 0xff_ff
    ? String.raw`\U${codePoint.toString(16).padStart(8, '0')}`
    : String.raw`\u${codePoint.toString(16).padStart(4, '0')}`;

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
