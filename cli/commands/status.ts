import { Command } from 'commander';
import type { Io } from '../io.ts';
import { GROUPS, OPERATOR_NAMESPACE, withClusterOptions, withExamples, withKinds, withOutput } from '../options.ts';
import type { StatusOptions } from '../status/run.ts';

/** `trunnion status`: how resources are doing, and why. */
export function statusCommand(io: Io): Command {
  const command = new Command('status')
    .helpGroup(GROUPS.look)
    .summary('See how resources are doing, and why.')
    .description(
      'Tell how a resource is doing: a tree from it to its pods, and of each object what it waits for and why. Without a name, all resources as a table.',
    )
    .argument('[resource]', 'resource: llama, or modelserving/llama')
    .option('-n, --namespace <name>', "its namespace (default: the context's)")
    .option('-A, --all-namespaces', 'without a name: the resources of all namespaces')
    .option('--all', 'show each pod, however many there are')
    .option('-w, --watch', 'continue and show what changes, until Ctrl-C')
    .option(
      '--operator-namespace <name>',
      `namespace of the operator (default: ${OPERATOR_NAMESPACE}; of kinds of your own: the name of their operator)`,
    )
    .action(async (resource: string | undefined, options: StatusOptions) =>
      (await import('../status/run.ts')).runStatus(io, resource, options),
    );
  return withExamples(
    withClusterOptions(withOutput(withKinds(command))),
    'trunnion status',
    'trunnion status llama -n models --watch',
    'trunnion status distributedtraining/resnet --all',
    'trunnion status hello --kinds src/operator.ts',
    'trunnion status llama -o json | jq .phase',
  );
}
