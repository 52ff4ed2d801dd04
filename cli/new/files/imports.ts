/**
 * The lines by which a program imports others: what is imported, and from where. They are put together here, since the
 * build reads what a module imports from the beginnings of its lines, and takes no text for anything else.
 */
export const imports = (...lines: readonly (readonly [what: string, from: string])[]): string =>
  lines.map(([what, from]) => ['import', what, 'from', `'${from}';`].join(' ')).join('\n');
