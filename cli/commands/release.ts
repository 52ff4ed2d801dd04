import { Command, Option } from 'commander';
import { connect } from '../../operator/kube/index.ts';
import { describeRelease, RELEASE_FORMATS } from '../handover/print.ts';
import { planRelease, release } from '../handover/release.ts';
import type { Io } from '../io.ts';
import { settingsOf, withClient } from '../kube/client.ts';
import { type ClusterOptions, withClusterOptions, withExamples } from '../options.ts';
import { liveResource } from '../resources.ts';

interface ReleaseFlags extends ClusterOptions {
  readonly namespace?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly operatorAway?: boolean;
  readonly output: keyof typeof RELEASE_FORMATS;
}

/** `trunnion release`: the operator lets go of what it runs. */
export function releaseCommand(io: Io): Command {
  const command = new Command('release')
    .description(
      'Have the operator let go of what it runs, so that kubectl apply or Pulumi can have it. Its objects stay and run on; the resource goes. What is to be applied, or imported, is printed to stdout first.',
    )
    .argument('<resource>', 'resource: modelserving/llama')
    .option('-n, --namespace <name>', "its namespace (default: the context's)")
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'show the plan alone')
    .option('--operator-away', 'no operator runs: wait for none')
    .addOption(
      new Option('-o, --output <format>', 'what to print: manifests, or a file for pulumi import')
        .choices(Object.keys(RELEASE_FORMATS))
        .default('yaml'),
    )
    .action((resource: string, flags: ReleaseFlags) => run(io, resource, flags));
  return withExamples(
    withClusterOptions(command),
    'trunnion release modelserving/llama -n models --yes | kubectl apply --server-side -f -',
    'trunnion release modelserving/llama -n models -o pulumi > import.json',
  );
}

async function run(io: Io, reference: string, flags: ReleaseFlags): Promise<void> {
  const { yes = false, dryRun = false, operatorAway = false, output } = flags;
  const settings = settingsOf(flags);
  const namespace = flags.namespace ?? (await connect(settings).current()).namespace;
  await withClient(settings, async (client) => {
    const { kind, resource } = await liveResource(client, reference, namespace);
    const plan = await planRelease(client, kind, resource);
    io.say(describeRelease(plan));
    if (!dryRun && !yes && !(await io.confirm('Have the operator let go of these?'))) {
      io.say('Nothing was done. Add --yes where nobody can be asked.');
      return;
    }
    io.out(RELEASE_FORMATS[output](plan, kind, resource));
    if (!dryRun) await release(client, kind, resource, operatorAway, (line) => io.say(line));
  });
}
