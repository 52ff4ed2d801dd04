import { deniedIn, deniedSentence } from './kube/denied.ts';

/** How every command ends. */
export const EXIT = {
  ok: { code: 0, meaning: 'Done.' },
  failure: {
    code: 1,
    meaning: 'It could not be done, or something was found that has to be seen to; standard error says what.',
  },
  usage: { code: 2, meaning: "The command was called in a way that can't work." },
} as const;

/** A command that was called in a way that can't work; ends with exit code 2, as commander's own complaints do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Something that went wrong with a sentence for a person; its stack says nothing that the message doesn't. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** Words of others with no line but the first at the left: none of it is to be taken for what a command says itself. */
export const quoted = (words: string): string => words.trimEnd().replaceAll(/\n(?! )/g, '\n  ');

/** What to tell a person about an error: its message, and that of its cause where it adds something. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return quoted(String(error));
  const denied = deniedIn(error);
  if (denied !== undefined) return deniedSentence([denied]);
  const { cause } = error;
  const isOurs = error instanceof CliError || error instanceof UsageError;
  const message = isOurs ? error.message : quoted(error.message);
  return cause instanceof Error && !error.message.includes(cause.message) ? `${message}: ${describe(cause)}` : message;
}
