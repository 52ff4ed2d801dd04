import { Argument, Command } from 'commander';
import type { AdoptFlags } from '../handover/run-adopt.ts';
import type { Io } from '../io.ts';
import { GROUPS, withClusterOptions, withExamples, withKinds, withOutput } from '../options.ts';

/** `trunnion adopt`: the operator takes over what another host runs. */
export function adoptCommand(io: Io): Command {
  const command = new Command('adopt')
    .helpGroup(GROUPS.change)
    .summary('Have the operator run what another host runs.')
    .description(
      'Have the operator run what kubectl apply or Pulumi runs today, or what was restored from a backup. No pod restarts unless that is allowed.',
    )
    .addArgument(new Argument('[resource]', 'resource that is there already: modelserving/llama'))
    .option('-f, --file <path>', 'file with resources to apply, as YAML or JSON; - is the standard input')
    .option(
      '--all',
      'every resource of the namespace that lacks something; those that are refused are listed, the others adopted',
    )
    .option('-n, --namespace <name>', "namespace of resources that name none (default: the context's)")
    .option('-A, --all-namespaces', 'with --all: of all namespaces')
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'show the plan alone')
    .option('--allow-restart', 'continue though pods restart')
    .option('--no-wait', "don't wait for an operator")
    .option('--field-manager <name>', 'who applies the resources, as in kubectl apply --server-side', 'kubectl')
    .action(async (resource: string | undefined, flags: AdoptFlags) =>
      (await import('../handover/run-adopt.ts')).runAdopt(io, resource, flags),
    );
  return withExamples(
    withClusterOptions(withOutput(withKinds(command))),
    'trunnion adopt -f model.yaml --dry-run',
    'trunnion adopt -f model.yaml',
    'trunnion adopt modelserving/llama -n models',
    'trunnion adopt webapp/hello --kinds src/operator.ts',
    'trunnion adopt --all --all-namespaces --dry-run',
  );
}
