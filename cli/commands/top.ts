import { Command } from 'commander';
import type { Io } from '../io.ts';
import { GROUPS, withClusterOptions, withExamples, withOutput } from '../options.ts';
import type { TopOptions } from '../top/run.ts';

/** `trunnion top`: what resources ask of GPUs, and what they do with them. */
export function topCommand(io: Io): Command {
  const command = new Command('top')
    .helpGroup(GROUPS.look)
    .summary('Show GPUs, requests and tokens a second of resources.')
    .description(
      'Show the GPUs that resources ask for, how busy they are, and the requests and tokens of their engines. What is unknown is a dash.',
    )
    .option('-n, --namespace <name>', "namespace of the resources (default: the context's)")
    .option('-A, --all-namespaces', 'all namespaces, with their sums and the GPUs of the nodes')
    .option('-w, --watch', 'continue and show what changes, until Ctrl-C')
    .action(async (options: TopOptions) => (await import('../top/run.ts')).runTop(io, options));
  return withExamples(
    withClusterOptions(withOutput(command)),
    'trunnion top -n models',
    'trunnion top -A --watch',
    "trunnion top -A -o json | jq '.resources[] | select(.gpusIdle > 0)'",
  );
}
