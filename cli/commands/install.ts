import { Command } from 'commander';
import type { Io } from '../io.ts';
import type { InstallOptions } from '../install.ts';
import { type ClusterOptions, OPERATOR_NAMESPACE, withClusterOptions, withExamples } from '../options.ts';

/** The options of `trunnion install`. */
export interface InstallFlags extends ClusterOptions, InstallOptions {
  readonly print?: boolean;
}

/** `trunnion install`: the CRDs, and the operator's account and rights. */
export function installCommand(io: Io): Command {
  const command = new Command('install')
    .description("Put the CRDs and the operator's ServiceAccount and rights onto the cluster.")
    .option('-n, --namespace <name>', "namespace of the operator's ServiceAccount and Lease", OPERATOR_NAMESPACE)
    .option('--watch-namespace <name>', 'grant rights in this namespace alone (default: in the whole cluster)')
    .option('--existing', 'also take the kinds of earlier operators: ModelDeployment, MLTrainingJob and others')
    .option('--print', 'print YAML instead of applying it')
    .action(async (flags: InstallFlags) => (await import('../install/run.ts')).runInstall(io, flags));
  return withExamples(
    withClusterOptions(command),
    'trunnion install --context staging',
    'trunnion install --watch-namespace models',
    'trunnion install --existing',
    'trunnion install --print > trunnion.yaml',
  );
}
