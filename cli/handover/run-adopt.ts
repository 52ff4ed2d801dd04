import { pauseOf } from '../../operator/engine/pause.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import type { AdoptFlags } from '../commands/adopt.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import { servedType } from '../kube/types.ts';
import { readManifests } from '../manifests.ts';
import { formatted } from '../output.ts';
import { liveResource, resourcesOf } from '../resources.ts';
import { adopt, type Adopter, type AdoptOptions, refuse } from './adopt.ts';
import { type Adoption, planAdoption } from './adoption.ts';
import { describeAdoption } from './print.ts';

/** Has the operator take over what another host runs, once the person agrees. */
export async function runAdopt(io: Io, reference: string | undefined, flags: AdoptFlags): Promise<void> {
  const { file, fieldManager, allowRestart = false, operatorAway = false } = flags;
  if ((reference === undefined) === (file === undefined)) {
    throw new UsageError('say what is to be adopted: either a resource that is there (modelserving/llama), or -f FILE');
  }
  const options = { fieldManager, allowRestart, operatorAway };
  const namespace = await namespaceOf(flags);
  await withClient(settingsOf(flags), async (client) => {
    const adopters =
      file === undefined
        ? [await liveResource(client, reference ?? '', namespace)]
        : await adoptersIn(io, client, file, namespace, fieldManager);
    await adoptAll(io, client, adopters, options, flags);
  });
}

async function adoptAll(
  io: Io,
  client: KubeClient,
  adopters: readonly Adopter[],
  options: AdoptOptions,
  { yes = false, dryRun = false, output }: AdoptFlags,
): Promise<void> {
  const plans: Adoption[] = [];
  for (const { kind, resource } of adopters) plans.push((await planAdoption(client, kind, resource)).adoption);
  io.out(formatted(output, plans, () => plans.map(describeAdoption).join('\n')));
  for (const plan of plans) refuse(plan, options);
  const open = adopters.filter((adopter, index) => isOpen(adopter, plans[index]));
  if (dryRun || open.length === 0) return;
  if (!yes && !(await io.confirm('Have the operator take these over?'))) {
    io.say('Nothing was done. Add --yes where nobody can be asked.');
    return;
  }
  for (const adopter of open) await adopt(client, adopter, options, (line) => io.say(line));
}

/** Whether there is something to do: an adoption that was cut off may lack its last step alone. */
const isOpen = ({ resource, manifest }: Adopter, plan: Adoption | undefined): boolean =>
  manifest !== undefined || pauseOf(resource) !== undefined || (plan?.moves.length ?? 0) > 0;

/** The resources of a file, as the API server would store them. */
async function adoptersIn(
  io: Io,
  client: KubeClient,
  file: string,
  namespace: string,
  fieldManager: string,
): Promise<readonly Adopter[]> {
  const manifests = await readManifests(file, io);
  const known = resourcesOf(manifests, { namespace, source: file, say: (line) => io.say(line) });
  const adopters: Adopter[] = [];
  for (const { kind, manifest, resource } of known) {
    await servedType(client, manifest);
    const { namespace: its = '' } = resource.metadata;
    const body = { ...manifest, metadata: { ...manifest.metadata, namespace: its } };
    const stored = await client.apply(kind.type, body, { fieldManager, force: true, dryRun: true });
    adopters.push({ kind, manifest, resource: stored as unknown as Adopter['resource'] });
  }
  return adopters;
}
