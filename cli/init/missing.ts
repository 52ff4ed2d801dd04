import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';

/** Something that a command needs. */
export interface Needed {
  /** The option: `--model`. */
  readonly option: string;
  readonly value: string | undefined;
  /** What it is, as a question and in an error. */
  readonly what: string;
}

/**
 * What was given for each, in order; on a terminal it asks for the others.
 *
 * @throws UsageError with all that is missing, where nobody is there to be asked or nothing is answered
 */
export async function withAnswers(io: Io, needed: readonly Needed[]): Promise<readonly string[]> {
  const open = needed.filter(({ value }) => value === undefined);
  const answers = open.length > 0 ? ((await io.ask?.(open.map(({ what }) => `${what}:`))) ?? []) : [];
  const missing = open.slice(answers.length);
  if (missing.length === 0) return needed.map((each) => each.value ?? answers[open.indexOf(each)] ?? '');
  const lines = missing.map(({ option, what }) => `  ${option}: ${what}`);
  throw new UsageError(`these options are missing:\n${lines.join('\n')}`);
}
