import type { Manifest } from '../../constructs/workload.ts';
import { pauseOf } from '../../operator/engine/api/index.ts';
import type { Kind, Resource } from '../../operator/engine/api/index.ts';
import type { DesiredChild } from '../../operator/engine/plan/index.ts';
import { digestOfOwned, type KubeClient } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import { FIELD_MANAGER as CLI_MANAGER } from '../kube/client.ts';
import { childTypeOf } from '../kube/types.ts';
import { type Adoption, planAdoption } from './adoption.ts';
import { titleOf, wordsFor } from './objects.ts';
import { moveOf, withManagedFields } from './ownership.ts';
import { pause, pauseText, resume } from './pause.ts';
import { untilUnchanged } from './unchanged.ts';
import { ownerOf } from './unlabelled.ts';
import { operatorOfKind } from '../user-kinds/known.ts';

/** A resource that is to have the objects of a workload. */
export interface Adopter {
  readonly kind: Kind;
  /** As it is, or as the API server would store it. */
  readonly resource: Resource;
  /**
   * What is to be applied.
   *
   * @default - the resource is there, and stays as it is
   */
  readonly manifest?: Manifest;
}

/** How an adoption is to be carried out. */
export interface AdoptOptions {
  /** Who applies the resource. */
  readonly fieldManager: string;
  /** Whether pods may be created again. */
  readonly allowRestart: boolean;
  /** Whether no operator runs, so that none is waited for. */
  readonly wait: boolean;
}

/** Why an adoption is not to be carried out as planned, with all reasons; undefined where it may be. */
export function reasonAgainst(
  { resource, obstacles, restarts }: Adoption,
  { allowRestart }: Pick<AdoptOptions, 'allowRestart'>,
): string | undefined {
  const reasons = [
    ...obstacles.map(({ object, message }) => `${object}: ${message}`),
    ...(restarts.length > 0 && !allowRestart
      ? [
          `pods would restart: ${restarts.join(', ')}. Write the spec so that it renders what runs, or add --allow-restart`,
        ]
      : []),
  ];
  return reasons.length > 0 ? `${resource} can't be adopted as it is: ${reasons.join('; ')}` : undefined;
}

/**
 * Has the operator run what another host runs. Each step leaves things in order, so that it can be carried out again
 * after it was cut off: the resource is paused until all is done.
 *
 * @param log - is told each object
 * @throws CliError where something has changed since it was planned, or no operator answers
 */
export async function adopt(
  client: KubeClient,
  adopter: Adopter,
  options: AdoptOptions,
  log: (line: string) => void,
): Promise<void> {
  const { kind } = adopter;
  const resource = await held(client, adopter, options);
  const { adoption, children } = await planAdoption(client, kind, resource);
  const reason = reasonAgainst(adoption, options);
  if (reason !== undefined) throw new CliError(reason);
  for (const child of children) {
    if (await take(client, kind, child)) log(`took over ${wordsFor(child.manifest)}`);
  }
  await resume(client, kind, resource);
  log(`${titleOf(resource)} is the operator's`);
}

/** The resource on the API server, left alone by the operator. */
async function held(
  client: KubeClient,
  { kind, manifest, resource: { metadata } }: Adopter,
  { fieldManager, wait }: AdoptOptions,
): Promise<Resource> {
  const ref = { namespace: metadata.namespace ?? '', name: metadata.name };
  const live = (await client.find(kind.type, ref)) as Resource | undefined;
  if (live !== undefined) await pause(client, kind, live, 'adopt', wait);
  const paused = (live && (await client.get(kind.type, ref))) as Resource | undefined;
  if (manifest === undefined) {
    if (paused === undefined) throw new CliError(`${kind.type.kind} ${ref.namespace}/${ref.name} is gone`);
    return paused;
  }
  const operator = operatorOfKind(kind);
  const annotations = {
    ...manifest.metadata.annotations,
    [operator.pausedAnnotation]: (paused && pauseOf(paused, operator)) ?? pauseText('adopt'),
  };
  const body = { ...manifest, metadata: { ...manifest.metadata, ...ref, annotations } };
  return (await client.apply(kind.type, body, { fieldManager, force: true })) as unknown as Resource;
}

/**
 * Makes an object the operator's: first what others have applied is made its own, then it applies.
 *
 * @returns whether it was not so already
 */
async function take(client: KubeClient, kind: Kind, child: DesiredChild): Promise<boolean> {
  const { metadata } = child.manifest;
  const operator = operatorOfKind(kind);
  const type = childTypeOf(kind, child.manifest);
  return untilUnchanged(async () => {
    const live = await client.get(type, metadata);
    const body = { ...child.manifest, metadata: { ...metadata, uid: live.metadata.uid } };
    const options = { fieldManager: operator.fieldManager, force: true };
    const applied = await client.apply(type, body, { ...options, dryRun: true });
    const { managedFields } = moveOf(live, applied, child.unmanagedFields, ownerOf(kind, child));
    if (managedFields === undefined && digestOfOwned(live, operator.fieldManager) === child.digest) return false;
    if (managedFields !== undefined) {
      await client.patch(type, metadata, withManagedFields(live, managedFields), { fieldManager: CLI_MANAGER });
    }
    await client.apply(type, body, options);
    return true;
  });
}
