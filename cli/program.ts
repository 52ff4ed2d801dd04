import { Command } from 'commander';
import { adoptCommand } from './commands/adopt.ts';
import { chatCommand } from './commands/chat.ts';
import { clusterCommand } from './commands/cluster.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { convertCommand } from './commands/convert.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { graphCommand } from './commands/graph.ts';
import { initCommand } from './commands/init.ts';
import { installCommand } from './commands/install.ts';
import { kindCommand } from './commands/kind.ts';
import { logsCommand } from './commands/logs.ts';
import { newCommand } from './commands/new.ts';
import { operatorCommand } from './commands/operator.ts';
import { planCommand } from './commands/plan.ts';
import { releaseCommand } from './commands/release.ts';
import { renderCommand } from './commands/render.ts';
import { schemaCommand } from './commands/schema.ts';
import { statusCommand } from './commands/status.ts';
import { topCommand } from './commands/top.ts';
import { tuningCommand } from './commands/tuning.ts';
import { uiCommand } from './commands/ui.ts';
import { uninstallCommand } from './commands/uninstall.ts';
import { versionCommand } from './commands/version.ts';
import { EXIT } from './errors.ts';
import { guarded } from './guarded-io.ts';
import type { Io } from './io.ts';
import { GROUPS, withExamples } from './options.ts';
import { packageVersion } from './package.ts';
import { runProgram, speakingThrough } from './run.ts';

/**
 * The command line, with every verb.
 *
 * @param outer - what commands write to, as plain text
 * @param name - what it is called by: kubectl has its own name for it
 */
export function createProgram(outer: Io, name = 'trunnion'): Command {
  const io = guarded(outer);
  const program = new Command(name)
    .description('AI workloads on Kubernetes: one construct for cdk8s and for an operator.')
    .version(packageVersion(), '-V, --version', 'print the version of this program')
    .commandsGroup(GROUPS.more)
    .helpCommand('help [command]', 'Print the help of a command.')
    // A line for each: what it takes is in its own help.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addCommand(demoCommand(io))
    .addCommand(installCommand(io))
    .addCommand(initCommand(io))
    .addCommand(newCommand(io))
    .addCommand(doctorCommand(io))
    .addCommand(statusCommand(io))
    .addCommand(topCommand(io))
    .addCommand(logsCommand(io))
    .addCommand(chatCommand(io))
    .addCommand(tuningCommand(io))
    .addCommand(uiCommand(io))
    .addCommand(planCommand(io))
    .addCommand(convertCommand(io))
    .addCommand(adoptCommand(io))
    .addCommand(releaseCommand(io))
    .addCommand(uninstallCommand(io))
    .addCommand(renderCommand(io))
    .addCommand(graphCommand(io))
    .addCommand(schemaCommand(io))
    .addCommand(kindCommand(io))
    .addCommand(clusterCommand(io))
    .addCommand(operatorCommand())
    .addCommand(versionCommand(io))
    .addCommand(completionCommand(io));
  program.addCommand(completeCommand(io, program), { hidden: true });
  withExamples(
    program,
    'trunnion demo',
    'trunnion render -f model.yaml | kubectl diff -f -',
    'trunnion cluster --help',
  );
  const codes = Object.values(EXIT).map(({ code, meaning }) => `  ${code}  ${meaning}`);
  program.addHelpText('after', `\nExit codes:\n${codes.join('\n')}`);
  return speakingThrough(io, program);
}

/**
 * Runs the command line.
 *
 * @param name - what it is called by
 * @returns the exit code
 */
export const run = (args: readonly string[], io: Io, name?: string): Promise<number> =>
  runProgram(createProgram(io, name), args, io);
