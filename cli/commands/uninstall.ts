import { Command } from 'commander';
import type { UninstallFlags } from '../install/uninstall.ts';
import type { Io } from '../io.ts';
import { GROUPS, OPERATOR_NAMESPACE, withClusterOptions, withExamples } from '../options.ts';

/** `trunnion uninstall`: what install has put there goes, and no workload with it. */
export function uninstallCommand(io: Io): Command {
  const command = new Command('uninstall')
    .helpGroup(GROUPS.change)
    .summary('Take the operator away; workloads run on.')
    .description(
      'Take the operator away, with its ServiceAccount, its rights and its Lease, and its finalizer off the policies of pods. Resources and their objects stay and run on, as does the namespace.',
    )
    .option('-n, --namespace <name>', 'namespace of the operator', OPERATOR_NAMESPACE)
    .option('--watch-namespace <name>', 'the same value as given to `install`')
    .option('--compat', 'the same value as given to `install`')
    .option('--crds', 'take the CRDs away too; refused while there are resources, since these would go with them')
    .action(async (flags: UninstallFlags) => (await import('../install/uninstall.ts')).uninstall(io, flags));
  return withExamples(
    withClusterOptions(command),
    'trunnion uninstall',
    'trunnion uninstall --namespace models --watch-namespace models',
    'trunnion uninstall --crds',
  );
}
