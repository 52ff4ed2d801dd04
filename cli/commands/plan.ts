import { Command } from 'commander';
import type { Io } from '../io.ts';
import { GROUPS, withClusterOptions, withExamples, withFile, withKinds, withOutput } from '../options.ts';
import type { PlanOptions } from '../plan/run.ts';

/** `trunnion plan`: what applying a file would do. */
export function planCommand(io: Io): Command {
  const command = new Command('plan')
    .helpGroup(GROUPS.change)
    .summary('See what applying a file would do.')
    .description(
      'Tell what applying resources would create, change, delete and restart, and why nothing would be done where a resource has ended, is suspended, out of service or left alone. Nothing is written.',
    );
  withKinds(withOutput(withFile(command)))
    .option('-n, --namespace <name>', "namespace of resources that name none (default: the context's)")
    .option('--field-manager <name>', 'who would apply it, as in kubectl apply --server-side', 'kubectl')
    .action(async (options: PlanOptions) => (await import('../plan/run.ts')).runPlan(io, options));
  return withExamples(
    withClusterOptions(command),
    'trunnion plan -f model.yaml',
    'trunnion plan -f web-app.yaml --kinds src/operator.ts',
    'trunnion plan -f model.yaml -o json | jq .[].restarts',
  );
}
