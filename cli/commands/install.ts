import { Command } from 'commander';
import type { Io } from '../io.ts';
import { install, installation, OPERATOR_NAMESPACE, type InstallOptions } from '../install.ts';
import { settingsOf, withClient } from '../kube/client.ts';
import { printManifests } from '../manifests.ts';
import { type ClusterOptions, withClusterOptions, withExamples } from '../options.ts';

/** `trunnion install`: the CRDs, and the operator's account and rights. */
export function installCommand(io: Io): Command {
  const command = new Command('install')
    .description("Put the CRDs and the operator's ServiceAccount and rights onto the cluster.")
    .option('-n, --namespace <name>', "namespace of the operator's ServiceAccount and Lease", OPERATOR_NAMESPACE)
    .option('--watch-namespace <name>', 'grant rights in this namespace alone (default: in the whole cluster)')
    .option('--existing', 'also take the kinds of earlier operators: ModelDeployment, MLTrainingJob and others')
    .option('--print', 'print YAML instead of applying it')
    .action(async ({ print = false, ...options }: ClusterOptions & InstallOptions & { print?: boolean }) => {
      if (print) {
        io.out(printManifests(installation(options)));
      } else {
        await withClient(settingsOf(options), (client) => install(client, options, (line) => io.say(line)));
      }
    });
  return withExamples(
    withClusterOptions(command),
    'trunnion install --context staging',
    'trunnion install --watch-namespace models',
    'trunnion install --existing',
    'trunnion install --print > trunnion.yaml',
  );
}
