import { Argument, Command } from 'commander';
import { SCRIPTS, type Shell, SHELLS } from '../complete/scripts.ts';
import type { Io } from '../io.ts';
import { GROUPS, withExamples } from '../options.ts';

/** `trunnion completion`: the script by which a shell completes command lines. */
export function completionCommand(io: Io): Command {
  const command = new Command('completion')
    .helpGroup(GROUPS.more)
    .summary('Print the script that completes commands in a shell.')
    .description('Print the script by which a shell completes verbs, options and the names of resources.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => io.out(SCRIPTS[shell]));
  return withExamples(
    command,
    'source <(trunnion completion bash)',
    'trunnion completion zsh > "${fpath[1]}/_trunnion"',
    'trunnion completion fish > ~/.config/fish/completions/trunnion.fish',
  );
}

/**
 * `trunnion __complete`: what the scripts ask.
 *
 * @param program - of which command lines are completed
 */
export function completeCommand(io: Io, program: Command): Command {
  const command = new Command('__complete')
    .description('Tell what fits at the end of a command line; for the scripts of trunnion completion.')
    .argument('[words...]', 'its words, the last of which is a part')
    .action(async (words: readonly string[]) => (await import('../complete/run.ts')).runComplete(io, program, words));
  return withExamples(command, "trunnion __complete -- plan --output ''");
}
