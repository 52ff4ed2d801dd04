import { Command, Option } from 'commander';
import { stringify } from 'yaml';
import { connect } from '../../operator/kube/index.ts';
import type { Io } from '../io.ts';
import { settingsOf, withClient } from '../kube/client.ts';
import { readManifests } from '../manifests.ts';
import { type ClusterOptions, withClusterOptions, withExamples } from '../options.ts';
import { planResource } from '../plan/plan.ts';
import { describePlan } from '../plan/print.ts';
import type { ResourcePlan } from '../plan/types.ts';
import { resourcesOf } from '../resources.ts';

interface PlanOptions extends ClusterOptions {
  readonly file: string;
  readonly namespace?: string;
  readonly output: keyof typeof FORMATS;
  readonly fieldManager: string;
}

const FORMATS = {
  text: (plans: readonly ResourcePlan[]) => plans.map(describePlan).join('\n'),
  json: (plans: readonly ResourcePlan[]) => `${JSON.stringify(plans, undefined, 2)}\n`,
  yaml: (plans: readonly ResourcePlan[]) => stringify(plans),
};

/** `trunnion plan`: what applying a file would do. */
export function planCommand(io: Io): Command {
  const command = new Command('plan')
    .description('Tell what applying resources would create, change, delete and restart. Nothing is written.')
    .requiredOption('-f, --file <path>', 'file with resources, as YAML or JSON; - is the standard input')
    .option('-n, --namespace <name>', "namespace of resources that name none (default: the context's)")
    .addOption(new Option('-o, --output <format>', 'format').choices(Object.keys(FORMATS)).default('text'))
    .option('--field-manager <name>', 'who would apply it, as in kubectl apply --server-side', 'kubectl')
    .action((options: PlanOptions) => plan(io, options));
  return withExamples(
    withClusterOptions(command),
    'trunnion plan -f model.yaml',
    'trunnion plan -f model.yaml -o json | jq .[].restarts',
  );
}

async function plan(io: Io, options: PlanOptions): Promise<void> {
  const { file, output, fieldManager } = options;
  const manifests = await readManifests(file, io);
  const settings = settingsOf(options);
  const namespace = options.namespace ?? (await connect(settings).current()).namespace;
  const resources = resourcesOf(manifests, { namespace, source: file, say: (line) => io.say(line) });
  const plans = await withClient(settings, async (client) => {
    const done: ResourcePlan[] = [];
    for (const resource of resources) done.push(await planResource(client, resource, fieldManager));
    return done;
  });
  io.out(FORMATS[output](plans));
}
