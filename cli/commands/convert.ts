import { Command } from 'commander';
import type { ConvertOptions } from '../convert/run.ts';
import type { Io } from '../io.ts';
import { GROUPS, withClusterOptions, withExamples } from '../options.ts';

/** `trunnion convert`: the equivalents of resources that others specified. */
export function convertCommand(io: Io): Command {
  const command = new Command('convert')
    .helpGroup(GROUPS.change)
    .summary('Print the equivalents of resources of other operators.')
    .description(
      'Print, as YAML, the resources of ours that are the equivalents of others; a comment names each field that has none. With --live, move one that the operator runs already, without restarting a pod.',
    )
    .argument('[kind]', 'with --live: its kind, for instance ModelDeployment')
    .argument('[name]', 'with --live: its name')
    .option('-f, --file <path>', 'file with resources, as YAML or JSON; - is the standard input')
    .option('--live', 'move the resource KIND NAME of the cluster to ours')
    .option('-n, --namespace <name>', "with --live: its namespace (default: the context's)")
    .action(async (kind: string | undefined, name: string | undefined, options: ConvertOptions) =>
      (await import('../convert/run.ts')).runConvert(io, kind, name, options),
    );
  return withExamples(
    withClusterOptions(command),
    'trunnion convert -f modeldeployment.yaml',
    'kubectl get inferenceservice llama -o yaml | trunnion convert -f - > llama.yaml',
    'trunnion convert --live ModelDeployment llama-3-8b -n models',
  );
}
