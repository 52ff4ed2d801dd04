import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import { readManifests } from '../manifests.ts';
import type { ClusterOptions, Format, KindsOptions } from '../options.ts';
import { formatted } from '../output.ts';
import { resourcesOf } from '../resources.ts';
import { knownKinds } from '../user-kinds/known.ts';
import { planResource } from './plan.ts';
import { describePlan } from './print.ts';
import type { ResourcePlan } from './types.ts';

/** The options of `trunnion plan`. */
export interface PlanOptions extends ClusterOptions, KindsOptions {
  readonly file: string;
  readonly namespace?: string;
  readonly output: Format;
  readonly fieldManager: string;
}

/** Prints what applying a file would do. */
export async function runPlan(io: Io, options: PlanOptions): Promise<void> {
  const { file, output, fieldManager } = options;
  const among = await knownKinds(options.kinds);
  const manifests = await readManifests(file, io);
  const namespace = await namespaceOf(options);
  const log = (line: string) => io.log(line);
  const resources = resourcesOf(manifests, { namespace, source: file, log, among });
  const plans = await withClient(settingsOf(options), async (client) => {
    const done: ResourcePlan[] = [];
    for (const resource of resources) done.push(await planResource(client, resource, fieldManager));
    return done;
  });
  io.out(formatted(output, plans, () => plans.map(describePlan).join('\n')));
}
