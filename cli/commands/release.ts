import { Command, Option } from 'commander';
import type { ReleaseOptions } from '../handover/run-release.ts';
import type { Io } from '../io.ts';
import { GROUPS, withClusterOptions, withExamples } from '../options.ts';

/** `trunnion release`: the operator lets go of what it runs. */
export function releaseCommand(io: Io): Command {
  const command = new Command('release')
    .helpGroup(GROUPS.change)
    .summary('Have the operator let go of what it runs.')
    .description(
      'Have the operator let go of what it runs, so that kubectl apply or Pulumi can have it. Its objects stay and run on; the resource goes. What is to be applied, or imported, is printed to stdout first.',
    )
    .argument('<resource>', 'resource: modelserving/llama')
    .option('-n, --namespace <name>', "its namespace (default: the context's)")
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'show the plan alone')
    .option('--no-wait', "don't wait for an operator")
    .addOption(
      new Option('-o, --output <format>', 'what to print: manifests, or a file for pulumi import')
        .choices(['yaml', 'pulumi'])
        .default('yaml'),
    )
    .action(async (resource: string, options: ReleaseOptions) =>
      (await import('../handover/run-release.ts')).runRelease(io, resource, options),
    );
  return withExamples(
    withClusterOptions(command),
    'trunnion release modelserving/llama -n models --yes | kubectl apply --server-side -f -',
    'trunnion release modelserving/llama -n models -o pulumi > import.json',
  );
}
