/** A list of texts in CEL. */
export const celList = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(', ')}]`;

/**
 * Argument names as a regular expression: with a value behind `=` or without, with `-` or `_` in the name. A dot stands
 * for both, since the API server counts the length of an expression as cost.
 */
export const argumentPattern = (names: readonly string[]): string =>
  `^(${names.map((name) => name.replaceAll(/(?<=\w)-/g, '.')).join('|')})(=|$)`;
