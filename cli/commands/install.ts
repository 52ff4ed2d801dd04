import { Command } from 'commander';
import type { InstallFlags } from '../install/run.ts';
import type { Io } from '../io.ts';
import { GROUPS, OPERATOR_NAMESPACE, withClusterOptions, withExamples } from '../options.ts';

/** `trunnion install`: the CRDs, and the operator with its account and rights. */
export function installCommand(io: Io): Command {
  const command = new Command('install')
    .helpGroup(GROUPS.start)
    .summary('Install the CRDs and the operator.')
    .description('Put the CRDs and the operator onto the cluster, with its ServiceAccount and rights.')
    .option('-n, --namespace <name>', 'namespace of the operator', OPERATOR_NAMESPACE)
    .option('--watch-namespace <name>', 'work in this namespace alone (default: in the whole cluster)')
    .option('--compat', 'also take the kinds of earlier operators: ModelDeployment, MLTrainingJob and others')
    .option('--values <file>', 'all else: the same YAML as the values of the chart')
    .option('--no-operator', 'leave the operator out, since it runs elsewhere: trunnion operator')
    .option('--print', 'print YAML instead of applying it')
    .action(async (flags: InstallFlags) => (await import('../install/run.ts')).runInstall(io, flags));
  return withExamples(
    withClusterOptions(command),
    'trunnion install --context staging',
    'trunnion install --watch-namespace models',
    'trunnion install --compat',
    'trunnion install --values values.yaml',
    'trunnion install --print > trunnion.yaml',
  );
}
