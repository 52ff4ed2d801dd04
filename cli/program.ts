import { Command, CommanderError } from 'commander';
import { adoptCommand } from './commands/adopt.ts';
import { clusterCommand } from './commands/cluster.ts';
import { convertCommand } from './commands/convert.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { installCommand } from './commands/install.ts';
import { logsCommand } from './commands/logs.ts';
import { operatorCommand } from './commands/operator.ts';
import { planCommand } from './commands/plan.ts';
import { releaseCommand } from './commands/release.ts';
import { renderCommand } from './commands/render.ts';
import { statusCommand } from './commands/status.ts';
import { tuningCommand } from './commands/tuning.ts';
import { describe, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { withExamples } from './options.ts';
import { packageVersion } from './package.ts';

/** The exit codes of every command. */
const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** The command line, with every verb. */
export function createProgram(io: Io): Command {
  const program = new Command('trunnion')
    .description('AI workloads on Kubernetes: one construct for cdk8s and for an operator.')
    .version(packageVersion())
    .addCommand(demoCommand(io))
    .addCommand(installCommand(io))
    .addCommand(operatorCommand())
    .addCommand(renderCommand(io))
    .addCommand(planCommand(io))
    .addCommand(statusCommand(io))
    .addCommand(logsCommand(io))
    .addCommand(doctorCommand(io))
    .addCommand(tuningCommand(io))
    .addCommand(convertCommand(io))
    .addCommand(adoptCommand(io))
    .addCommand(releaseCommand(io))
    .addCommand(clusterCommand(io));
  withExamples(
    program,
    'trunnion demo',
    'trunnion render -f model.yaml | kubectl diff -f -',
    'trunnion cluster --help',
  );
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .showHelpAfterError(`Add --help for what there is.`)
      .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.say(text.trimEnd()) });
  }
  return program;
}

/** A command and all below it. */
export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/**
 * Runs the command line.
 *
 * @returns the exit code
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // Commander has said what there was to say; help that was asked for has exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    io.say(`error: ${describe(error)}`);
    return error instanceof UsageError ? EXIT.usage : EXIT.failure;
  }
}
