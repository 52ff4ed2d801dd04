import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import {
  distributedTraining,
  type DistributedTrainingResource,
} from '../../operator/kinds/distributed-training/index.ts';
import { connect } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import type { Io } from '../io.ts';
import { settingsOf, withClient } from '../kube/client.ts';
import { type ClusterOptions, withClusterOptions, withExamples } from '../options.ts';
import { drawnSearch } from '../tuning/search.ts';
import { searchSvg } from '../tuning/svg.ts';
import { searchText } from '../tuning/text.ts';

interface TuningOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly svg?: string;
}

/** `trunnion tuning`: how a search is doing. */
export function tuningCommand(io: Io): Command {
  const command = new Command('tuning')
    .description('Draw a search: the best value over its trials, and where its parameters were.')
    .argument('<name>', 'name of a DistributedTraining with spec.tuning')
    .option('-n, --namespace <name>', "its namespace (default: the context's)")
    .option('--svg <path>', 'write it as an image, too')
    .action((name: string, options: TuningOptions) => draw(io, name, options));
  return withExamples(
    withClusterOptions(command),
    'trunnion tuning resnet-search',
    'trunnion tuning resnet-search -n training --svg search.svg',
  );
}

async function draw(io: Io, name: string, options: TuningOptions): Promise<void> {
  const settings = settingsOf(options);
  const namespace = options.namespace ?? (await connect(settings).current()).namespace;
  const resource = await withClient(settings, (client) => client.find(distributedTraining.type, { namespace, name }));
  if (resource === undefined) throw new CliError(`there is no DistributedTraining ${name} in namespace ${namespace}`);
  const search = drawnSearch(resource as unknown as DistributedTrainingResource);
  io.out(searchText(search));
  if (options.svg === undefined) return;
  await writeFile(options.svg, searchSvg(search));
  io.say(`Wrote ${options.svg}.`);
}
