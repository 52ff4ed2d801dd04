import { Command } from 'commander';
import type { Io } from '../io.ts';
import { GROUPS, OPERATOR_NAMESPACE, withClusterOptions, withExamples, withOutput } from '../options.ts';
import type { VersionOptions } from '../version/run.ts';

/** `trunnion version`: the versions of all that belongs together. */
export function versionCommand(io: Io): Command {
  const command = new Command('version')
    .helpGroup(GROUPS.more)
    .summary('Print the versions of client, operator, CRDs and cluster.')
    .description(
      'Print the version of this program, and of the cluster: the operator with its image, the versions and kinds that the CRDs serve, and Kubernetes. What may not be looked at is named as such. Without a cluster it says so on standard error, and exits with 0; trunnion doctor is the command that fails.',
    )
    .option('--client', 'print the version of this program alone, and ask no cluster')
    .option('--operator-namespace <name>', 'namespace of the operator', OPERATOR_NAMESPACE)
    .action(async (options: VersionOptions) => (await import('../version/run.ts')).runVersion(io, options));
  return withExamples(
    withClusterOptions(withOutput(command)),
    'trunnion version',
    'trunnion version --client -o json | jq -r .client',
  );
}
