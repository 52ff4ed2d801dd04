import type { JsonObject } from '../../constructs/schema/json.ts';

/** The first integer that JavaScript can't hold: it is written out digit for digit. */
export const HUGE = JSON.rawJSON('9007199254740993') as unknown as JsonObject;

/** More than one unit of UTF-16 a character, a mark that combines, one that turns the line around. */
const UNICODE = 'käse 🧀 \u202e\u0301\ufeff';

/** What ends a line, a text or an argument, and what shells, templates and Kubernetes itself would expand. */
export const HOSTILE = `${UNICODE}a\n\r\t\u0001\u007f"'; $(HOME) $$(id) \`id\` {{ . }}`;

/** Keys of maps: those that every object of JavaScript has already, and those that are no names. */
export const KEYS: readonly string[] = [
  'added',
  'example.com/added',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  UNICODE,
];

/** Amounts in all notations, and what is none. */
export const QUANTITIES: readonly (string | number | JsonObject)[] = [
  '3Gi',
  '3072Mi',
  '3221225472',
  3_221_225_472,
  '0.5',
  '500m',
  '1500m',
  '2e3',
  '1E3',
  '1.5Gi',
  '4k',
  '0.1m',
  '9007199254740993',
  999_999_999_999_999,
  HUGE,
  '0',
  0,
  '-1',
  -1,
  '',
  ' 1Gi',
  '1 Gi',
  '1GB',
  'Gi',
  '1.5.5',
  '0x10',
  '١Gi',
  'NaN',
  'Infinity',
];
