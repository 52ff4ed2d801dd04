import type { Command } from 'commander';
import { plainText } from '../../constructs/parts/values/index.ts';
import type { Io } from '../io.ts';
import { type Candidate, complete, starting } from './candidates.ts';

/** What cobra's shells understand: files fit too, or nothing else does. */
const DIRECTIVE = { files: ':0', nothingElse: ':4' } as const;

/** Prints what fits at the end of a command line. It fails at nothing: a shell has nowhere to show it. */
export async function runComplete(io: Pick<Io, 'out'>, program: Command, words: readonly string[]): Promise<void> {
  const { candidates, files, lookup } = complete(program, words);
  const found: readonly Candidate[] = lookup
    ? starting(await (await import('./lookup.ts')).found(lookup), words.at(-1) ?? '')
    : [];
  // A name with spaces or controls in it is none, and no shell is to see it.
  const fitting = [...candidates, ...found].filter(({ value }) => plainText(value) === value && !value.includes(' '));
  const lines = fitting.map(({ value, description }) =>
    description === '' ? value : `${value}\t${plainText(description)}`,
  );
  io.out(`${[...lines, files ? DIRECTIVE.files : DIRECTIVE.nothingElse].join('\n')}\n`);
}
