import { Document, visit } from 'yaml';
import { escapeUnseen, isPlain } from '../constructs/parts/values/index.ts';
import { plainScalar } from './plain-scalar.ts';

/**
 * Data as YAML, which readers of YAML 1.1 and 1.2 read back as it was. What nobody would see in it is escaped, which needs
 * quotes: it means the same, and steers no terminal.
 */
export function printYaml(data: unknown): string {
  const document = new Document(data, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && needsQuotes(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeUnseen(document.toString({ lineWidth: 0 }), yamlEscape);
}

/** `compat` knows the schema of YAML 1.1, Go reads more than that as numbers. `=` and `<<` have a meaning of their own. */
const needsQuotes = (text: string): boolean =>
  plainScalar(text).is !== 'text' || text === '=' || text === '<<' || !isPlain(text) || beginsBlank(text);

/**
 * Text that can't be a block of lines: who reads it takes blanks before its first character for indentation, and Go
 * refuses a tab there.
 */
const beginsBlank = (text: string): boolean => text.includes('\n') && (text.trim() === '' || /^[\n ]*\t/.test(text));

const yamlEscape = (codePoint: number): string =>
  codePoint > 0xff_ff
    ? String.raw`\U${codePoint.toString(16).padStart(8, '0')}`
    : String.raw`\u${codePoint.toString(16).padStart(4, '0')}`;
