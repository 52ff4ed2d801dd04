import { type Command, CommanderError } from 'commander';
import { describe, UsageError, EXIT } from './errors.ts';
import { guarded } from './guarded-io.ts';
import type { Io } from './io.ts';
import { forgetEmptyVariables } from './variables.ts';

/** A command and all below it. */
export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** The same program, which says through `io` what it says by itself, and leaves the process as it is. */
export function speakingThrough(io: Io, program: Command): Command {
  const plain = guarded(io);
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .showHelpAfterError(`Add --help for what there is.`)
      .configureOutput({ writeOut: (text) => plain.out(text), writeErr: (text) => plain.log(text.trimEnd()) });
  }
  return program;
}

/**
 * Runs a program with its arguments.
 *
 * @returns the exit code
 */
export async function runProgram(program: Command, args: readonly string[], io: Io): Promise<number> {
  forgetEmptyVariables();
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok.code;
  } catch (error) {
    // Commander has said what there was to say; help that was asked for has exit code 0.
    if (error instanceof CommanderError) return (error.exitCode === 0 ? EXIT.ok : EXIT.usage).code;
    guarded(io).log(`error: ${describe(error)}`);
    return (error instanceof UsageError ? EXIT.usage : EXIT.failure).code;
  }
}
