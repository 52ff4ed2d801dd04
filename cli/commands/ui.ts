import { Command } from 'commander';
import type { Io } from '../io.ts';
import { GROUPS, OPERATOR_NAMESPACE, port, withClusterOptions, withExamples } from '../options.ts';
import type { UiOptions } from '../ui/run.ts';

/** `trunnion ui`: a page that shows all of it. */
export function uiCommand(io: Io): Command {
  const command = new Command('ui')
    .helpGroup(GROUPS.look)
    .summary('Show resources, logs and a chat on a page in a browser.')
    .description(
      'Serve a page that shows resources, what they are made of, events, logs, GPUs and searches, and that asks models and agents. It is served at 127.0.0.1 to those who have the printed address, with your rights and no others, until Ctrl-C. It changes nothing in the cluster.',
    )
    .option('-n, --namespace <name>', "namespace that it begins with (default: the context's)")
    .option('-A, --all-namespaces', 'begin with all namespaces')
    .option('--port <number>', 'port of 127.0.0.1 to listen at, 0 for one that is free', port, 0)
    .option('--operator-namespace <name>', 'namespace of the operator', OPERATOR_NAMESPACE)
    .action(async (options: UiOptions) => (await import('../ui/run.ts')).runUi(io, options));
  return withExamples(
    withClusterOptions(command),
    'trunnion ui -n models',
    'trunnion ui -A --port 8080',
    'ssh -t -L 8080:127.0.0.1:8080 bastion trunnion ui --port 8080',
  );
}
