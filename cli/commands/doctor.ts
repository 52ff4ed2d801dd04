import { Command } from 'commander';
import type { DoctorOptions } from '../doctor/run.ts';
import type { Io } from '../io.ts';
import { GROUPS, OPERATOR_NAMESPACE, withClusterOptions, withExamples, withOutput } from '../options.ts';

/** `trunnion doctor`: what is missing in a cluster. */
export function doctorCommand(io: Io): Command {
  const command = new Command('doctor')
    .helpGroup(GROUPS.start)
    .summary('Find out what is missing in a cluster, and what to do.')
    .description(
      'Tell what is missing in a cluster, what that means and what to do: CRDs, operator, GPUs, storage, KEDA, Kueue, the Gateway API, quota, and your own rights. Exit code 1 where something is missing that nothing works without, or that a resource waits for. Nothing is written.',
    )
    .option('-n, --namespace <name>', "namespace of the workloads (default: the context's)")
    .option('--operator-namespace <name>', 'namespace of the operator', OPERATOR_NAMESPACE)
    .action(async (options: DoctorOptions) => (await import('../doctor/run.ts')).runDoctor(io, options));
  return withExamples(
    withClusterOptions(withOutput(command)),
    'trunnion doctor',
    'trunnion doctor -n models --context staging',
    'trunnion doctor -o json | jq \'.[] | select(.verdict != "ok")\'',
  );
}
