import { createHash } from 'node:crypto';

/** A revision for a host that has none: a digest of what its listing says, in the order of names. */
export function digestOfLines(lines: readonly string[]): string {
  return createHash('sha256')
    .update([...lines].sort().join('\n'))
    .digest('hex')
    .slice(0, 40);
}
