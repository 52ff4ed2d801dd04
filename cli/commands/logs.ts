import { Command } from 'commander';
import type { GuardedIo } from '../guarded-io.ts';
import type { LogsOptions } from '../logs/run.ts';
import { count, GROUPS, withClusterOptions, withExamples } from '../options.ts';

/** `trunnion logs`: what the pods of a resource say. */
export function logsCommand(io: GuardedIo): Command {
  const command = new Command('logs')
    .helpGroup(GROUPS.look)
    .summary('Print the logs of all pods of a resource.')
    .description(
      'Print what all pods of a resource say, each line behind the rank or pod that it is of. With --follow, pods that come later join in: new replicas, and the ranks of a new attempt.',
    )
    .argument('<resource>', 'resource: llama, or distributedtraining/resnet')
    .option('-n, --namespace <name>', "its namespace (default: the context's)")
    .option('-f, --follow', 'continue until it has ended, or until Ctrl-C')
    .option('--tail <lines>', 'only the last lines of each container', count)
    .option('-p, --previous', 'what containers said before they were last restarted')
    .option('-c, --container <name>', 'only this container of each pod (default: all, init containers included)')
    .option('--rank <number>', 'only this rank of a training', count)
    .option('--timestamps', 'begin each line with its time')
    .option(
      '--raw',
      'leave colours and control characters in what pods say, for a file; a hostile program can steer a terminal by them (default: colours are left out, and control characters shown as symbols)',
    )
    .action(async (resource: string, options: LogsOptions) =>
      (await import('../logs/run.ts')).runLogs(io, resource, options),
    );
  return withExamples(
    withClusterOptions(command),
    'trunnion logs llama -n models --tail 20',
    'trunnion logs distributedtraining/resnet --follow',
    'trunnion logs resnet --rank 0 --previous',
    'trunnion logs resnet --raw > resnet.log',
  );
}
