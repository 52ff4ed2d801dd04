import { writeFile } from 'node:fs/promises';
import type { DistributedTrainingResource } from '../../operator/kinds/distributed-training/index.ts';
import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import { liveResource } from '../live.ts';
import type { ClusterOptions } from '../options.ts';
import { drawnSearch } from './search.ts';
import { searchSvg } from './svg.ts';
import { searchText } from './text.ts';

/** The options of `trunnion tuning`. */
export interface TuningOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly svg?: string;
}

/** Draws how a search is doing. */
export async function runTuning(io: Io, name: string, options: TuningOptions): Promise<void> {
  const namespace = await namespaceOf(options);
  const { resource } = await withClient(settingsOf(options), (client) =>
    liveResource(client, `distributedtraining/${name}`, namespace),
  );
  const search = drawnSearch(resource as unknown as DistributedTrainingResource);
  io.out(searchText(search));
  if (options.svg === undefined) return;
  await writeFile(options.svg, await searchSvg(search));
  io.log(`Wrote ${options.svg}.`);
}
