import { pauseOf } from '../../operator/engine/api/index.ts';
import type { Kind } from '../../operator/engine/api/index.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { CliError, describe, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import { servedType } from '../kube/types.ts';
import { readManifests } from '../manifests.ts';
import type { ClusterOptions, Format, KindsOptions } from '../options.ts';
import { formatted } from '../output.ts';
import { kinds } from '../kinds.ts';
import { notShown } from '../kube/denied.ts';
import { liveResource, liveResources } from '../live.ts';
import { resourcesOf } from '../resources.ts';
import { knownKinds, operatorOfKind } from '../user-kinds/known.ts';
import { adopt, type Adopter, type AdoptOptions, reasonAgainst } from './adopt.ts';
import { type Adoption, planAdoption } from './adoption.ts';
import { titleOf } from './objects.ts';
import { describeAdoption } from './print.ts';

/** The options of `trunnion adopt`. */
export interface AdoptFlags extends ClusterOptions, KindsOptions {
  readonly file?: string;
  readonly namespace?: string;
  readonly all?: boolean;
  readonly allNamespaces?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly allowRestart?: boolean;
  readonly wait?: boolean;
  readonly fieldManager: string;
  readonly output: Format;
}

/** Has the operator take over what another host runs, once the person agrees. */
export async function runAdopt(io: Io, reference: string | undefined, flags: AdoptFlags): Promise<void> {
  const { file, all = false, allNamespaces = false, fieldManager, allowRestart = false, wait = true } = flags;
  if ([reference !== undefined, file !== undefined, all].filter(Boolean).length !== 1) {
    throw new UsageError(
      'say what is to be adopted: either a resource that is there (modelserving/llama), or -f FILE, or --all',
    );
  }
  if (allNamespaces && !all) throw new UsageError('--all-namespaces goes with --all');
  const options = { fieldManager, allowRestart, wait };
  const among = await knownKinds(flags.kinds);
  const namespace = await namespaceOf(flags);
  await withClient(settingsOf(flags), async (client) => {
    if (all) {
      const { resources, denied } = await liveResources(client, among, allNamespaces ? undefined : namespace);
      for (const line of notShown(denied, 'not adopted')) io.log(line);
      await adoptAll(io, client, resources, options, flags);
      return;
    }
    const adopters =
      file === undefined
        ? [await liveResource(client, reference ?? '', namespace, among, (line) => io.log(line))]
        : await adoptersIn(io, client, { file, namespace, among: await knownKinds(flags.kinds, kinds) }, fieldManager);
    await adoptNamed(io, client, adopters, options, flags);
  });
}

async function adoptNamed(
  io: Io,
  client: KubeClient,
  adopters: readonly Adopter[],
  options: AdoptOptions,
  { yes = false, dryRun = false, output }: AdoptFlags,
): Promise<void> {
  const plans: Adoption[] = [];
  for (const { kind, resource } of adopters) plans.push((await planAdoption(client, kind, resource)).adoption);
  io.out(formatted(output, plans, () => plans.map(describeAdoption).join('\n')));
  for (const plan of plans) {
    const reason = reasonAgainst(plan, options);
    if (reason !== undefined) throw new CliError(reason);
  }
  const open = adopters.filter((adopter, index) => isOpen(adopter, plans[index]));
  if (dryRun || open.length === 0) return;
  if (!(await isAgreed(io, yes))) return;
  for (const adopter of open) await adopt(client, adopter, options, (line) => io.log(line));
}

async function isAgreed(io: Io, yes: boolean): Promise<boolean> {
  if (yes || (await io.confirm('Have the operator take these over?'))) return true;
  io.log('Nothing was done. Add --yes where nobody can be asked.');
  return false;
}

/** Of many resources, one that can't be adopted must not keep the others from it: it is told at the end. */
async function adoptAll(
  io: Io,
  client: KubeClient,
  adopters: readonly Adopter[],
  options: AdoptOptions,
  { yes = false, dryRun = false, output }: AdoptFlags,
): Promise<void> {
  const plans: Adoption[] = [];
  const fit: Adopter[] = [];
  const problems: string[] = [];
  for (const adopter of adopters) {
    try {
      const { adoption } = await planAdoption(client, adopter.kind, adopter.resource);
      const reason = reasonAgainst(adoption, options);
      if (reason === undefined && !isOpen(adopter, adoption)) continue;
      plans.push(adoption);
      if (reason === undefined) fit.push(adopter);
      else problems.push(reason);
    } catch (error) {
      problems.push(`${titleOf(adopter.resource)}: ${describe(error)}`);
    }
  }
  const nothing = problems.length > 0 ? '' : 'Nothing to do.\n';
  io.out(formatted(output, plans, () => plans.map(describeAdoption).join('\n') || nothing));
  if (!dryRun && fit.length > 0 && (await isAgreed(io, yes))) {
    for (const adopter of fit) {
      try {
        await adopt(client, adopter, options, (line) => io.log(line));
      } catch (error) {
        problems.push(`${titleOf(adopter.resource)}: ${describe(error)}`);
      }
    }
  }
  if (problems.length > 0) throw new CliError(problems.join('\n'));
}

/** Whether there is something to do: an adoption that was cut off may lack its last step alone. */
const isOpen = ({ kind, resource, manifest }: Adopter, plan: Adoption | undefined): boolean =>
  manifest !== undefined || pauseOf(resource, operatorOfKind(kind)) !== undefined || (plan?.moves.length ?? 0) > 0;

/** The resources of a file, as the API server would store them. */
async function adoptersIn(
  io: Io,
  client: KubeClient,
  { file, ...reading }: { readonly file: string; readonly namespace: string; readonly among: readonly Kind[] },
  fieldManager: string,
): Promise<readonly Adopter[]> {
  const manifests = await readManifests(file, io);
  const known = resourcesOf(manifests, { ...reading, source: file, log: (line) => io.log(line) });
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
