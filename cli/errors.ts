/** A command that was called in a way that can't work; ends with exit code 2, as commander's own complaints do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Something that went wrong with a sentence for a person; its stack says nothing that the message doesn't. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** What to tell a person about an error: its message, and that of its cause where it adds something. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && !error.message.includes(cause.message)
    ? `${error.message}: ${describe(cause)}`
    : error.message;
}
