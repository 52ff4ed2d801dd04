import { printManifests } from '../manifests.ts';
import type { Equivalent, Note } from '../../compat/convert/index.ts';

/** Longer values are cut: they are in the file that was read. */
const LONGEST = 80;

/** Equals as YAML, each with a comment on what has none, on what was chosen, and on what must be corrected. */
export const printEquivalents = (equivalents: readonly Equivalent[]): string =>
  equivalents.map(printEquivalent).join('---\n');

function printEquivalent({ source, manifest, notes, problems }: Equivalent): string {
  const { apiVersion, kind, metadata } = source;
  const comments = [
    `From ${kind} ${metadata.name} (${apiVersion}).`,
    ...notes.map(line),
    ...(problems.length > 0 ? ['To be corrected before it can run:', ...problems.map(line)] : []),
  ];
  return `${comments.map((comment) => `# ${plain(comment)}`).join('\n')}\n${printManifests([manifest])}`;
}

const line = ({ path, value, message }: Note): string =>
  `  ${path}${value === undefined ? '' : ` (${shown(value)})`}: ${message}`;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** What would end a comment, may not stand in YAML at all, or is not to be seen, by its number. */
const plain = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
