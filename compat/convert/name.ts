import type { Fields } from './fields.ts';

/** What our kinds call their Services by: no dot, and a letter at the beginning. */
const OURS = /^[a-z][-a-z0-9]*$/;
/** What others allow besides. */
const THEIRS = /^[a-z0-9][-a-z0-9.]*$/;

/**
 * The name of the equivalent. A Service gets it, whose name has no dot and begins with a letter; a name that no resource could
 * have stays as it is, to be corrected.
 */
export function nameOf(fields: Fields): string {
  const name = fields.text('metadata.name') ?? '';
  if (OURS.test(name) || !THEIRS.test(name)) return name;
  const changed = name.replaceAll('.', '-').replace(/^(?=\d)/, 'x-');
  fields.note(
    'metadata.name',
    `is ${changed} here: a Service gets the name, which has no dot and begins with a letter`,
  );
  return changed;
}
