import { plainText } from '../../../constructs/parts/values/index.ts';
import { LONGEST_QUOTE, ended, fitted } from './cut.ts';

/** How the methods of HTTP stand in the lines of an access log: `"GET /health HTTP/1.1" 200`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => `"${method} `);

/**
 * What a program said last, as part of a sentence of ours: plain, one line, no full stop at its end. Where it is too long
 * its end is kept, since a traceback ends with the cause; requests that were answered beside tell nothing of it.
 */
export function lastWords(message: string): string {
  const lines = plainText(message, { lines: true })
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '');
  const words = lines.filter((line) => !isAccess(line)).join(' ');
  return ended(words.replace(/\.$/, ''), LONGEST_QUOTE);
}

/** The last words behind a colon, or nothing where there are none. */
export function withLastWords(message: string): string {
  const words = lastWords(message);
  return words === '' ? '' : `: ${words}`;
}

/** A sentence about an end, for a field with a limit: what happened, and the end of what was said. */
export const fittedEnd = (sentence: string, max: number): string => fitted(plainText(sentence, { lines: true }), max);

const isAccess = (line: string): boolean => line.includes(' HTTP/') && METHODS.some((method) => line.includes(method));
