import { TRUNNION } from '../../../operator/trunnion.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { VERSION } from '../../../constructs/schema/kind.ts';
import { pauseOf } from '../../../operator/engine/api/index.ts';
import type { CommonStatus, Resource } from '../../../operator/engine/api/index.ts';
import { compatKind, optionalType, rememberedIn } from '../../../compat/kinds/index.ts';
import type { Translation } from '../../../compat/kinds/index.ts';
import { ApiError, type KubeClient, type KubeObject, type ResourceType } from '../../../operator/kube/index.ts';
import { CliError } from '../../errors.ts';
import { pause, pauseText, resume } from '../../handover/pause.ts';
import { FIELD_MANAGER } from '../../kube/client.ts';
import { convert } from '../../../compat/convert/index.ts';
import { giveTo, ownedBy } from './children.ts';

/** The command that asks the operator to leave resources alone. */
const COMMAND = 'convert';

/** A resource to move. */
export interface Move {
  readonly translation: Translation;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Moves a resource that the operator runs under an earlier operator's kind to ours: the same objects, another owner, and
 * all that is remembered of them. No pod is restarted. Broken off anywhere, it continues when it is called again.
 *
 * @param log - is told each step
 * @throws CliError where there is nothing to move, or what is there can't be
 */
export async function move(client: KubeClient, what: Move, log: (line: string) => void): Promise<void> {
  const { translation, namespace, name } = what;
  const ref = { namespace, name };
  const [type, oursType] = [optionalType(translation.theirs), typeOf(translation)];
  const before = (await client.find(type, ref)) as Resource | undefined;
  if (before !== undefined) await handOver(client, what, before, log);
  const ours = (await client.find(oursType, ref)) as Resource | undefined;
  if (ours === undefined || (before === undefined && !isMoving(ours))) {
    throw new CliError(`there is no ${type.kind} ${name} in namespace ${namespace}`);
  }
  await resume(client, translation.kind, ours);
  log(`${oursType.kind} ${name} runs what ${type.kind} ${name} was`);
}

async function handOver(client: KubeClient, what: Move, before: Resource, log: (line: string) => void): Promise<void> {
  const { translation, namespace, name } = what;
  const type = optionalType(translation.theirs);
  const manifest = await equivalentOf(client, what, before);
  await pause(client, compatKind(translation), before, COMMAND, false);
  const theirs = (await client.get(type, { namespace, name })) as KubeObject & Resource;
  log(`the operator leaves ${type.kind} ${name} alone`);
  const ours = await make(client, what, theirs, manifest);
  for (const owned of await ownedBy(client, translation.kind, theirs)) {
    await giveTo(client, owned, ours);
    log(`${owned.object.kind} ${owned.object.metadata.name} belongs to ${ours.kind} ${name}`);
  }
  await letGo(client, translation, theirs);
  log(`${type.kind} ${name} is gone`);
}

/** What it is as a resource of ours; only of one that this operator runs. */
async function equivalentOf(client: KubeClient, { translation }: Move, theirs: Resource): Promise<Manifest> {
  const { kind, metadata } = theirs;
  if (rememberedIn(theirs)?.phase === undefined) {
    throw new CliError(
      `${kind} ${metadata.name} is not run by this operator: convert -f prints its equivalent, to be applied again`,
    );
  }
  const source = theirs as unknown as Manifest;
  const equivalent = convert(source, [source, ...(await relatedTo(client, translation, theirs))]);
  const [problem] = equivalent?.problems ?? [];
  if (equivalent === undefined || problem !== undefined) {
    throw new CliError(`${kind} ${metadata.name} can't be moved as it is: ${problem?.path} ${problem?.message}`);
  }
  return equivalent.manifest;
}

async function relatedTo(client: KubeClient, translation: Translation, theirs: Resource): Promise<readonly Manifest[]> {
  const { namespace = '' } = theirs.metadata;
  const found = (translation.references?.(theirs) ?? []).map(async (reference) => {
    const [kind, name = ''] = reference.split('/');
    const type = translation.refersTo?.find((each) => each.kind === kind);
    return type && (await client.find(type, { namespace, name }));
  });
  return (await Promise.all(found)).filter((each): each is KubeObject & Manifest => each !== undefined);
}

/** Makes ours, left alone as well, and has it remember what theirs did. */
async function make(client: KubeClient, what: Move, theirs: Resource, manifest: Manifest): Promise<Resource> {
  const type = typeOf(what.translation);
  const { namespace, name } = what;
  const annotations = { ...manifest.metadata.annotations, [TRUNNION.pausedAnnotation]: pauseText(COMMAND) };
  const body = { ...manifest, metadata: { ...manifest.metadata, namespace, annotations } };
  const made = (await client.create(type, body, { fieldManager: FIELD_MANAGER }).catch(async (error: unknown) => {
    const there = (await client.find(type, { namespace, name })) as Resource | undefined;
    // A move that was broken off has made it already.
    if (there !== undefined && isMoving(there)) return there;
    if (!(error instanceof ApiError && there !== undefined)) throw error;
    throw new CliError(`there is a ${type.kind} ${name} already: rename or delete it first`);
  })) as Resource;
  const { uid } = made.metadata;
  const status = statusFor(theirs, made);
  const { apiVersion, kind } = made;
  return (await client.apply(
    type,
    { apiVersion, kind, metadata: { namespace, name, uid }, status },
    { fieldManager: TRUNNION.statusManager, force: true, subresource: 'status' },
  )) as unknown as Resource;
}

/** What is remembered, as if it had been found out about ours. */
function statusFor(theirs: Resource, { metadata }: Resource): CommonStatus {
  const { conditions = [], ...rest } = rememberedIn(theirs) ?? {};
  const generation = metadata.generation ?? 1;
  return {
    ...rest,
    observedGeneration: generation,
    conditions: conditions
      .filter(({ type }) => !OURS_ALONE.has(type))
      .map((condition) => ({ ...condition, observedGeneration: generation })),
  };
}

/** Conditions that are about the resource, and not about what it runs. */
const OURS_ALONE: ReadonlySet<string> = new Set(['Paused', 'ResolvedRefs']);

/** Its end needs nothing done before it: all that it had has another owner. */
async function letGo(client: KubeClient, { theirs, kind }: Translation, { metadata }: Resource): Promise<void> {
  const type = optionalType(theirs);
  const { uid, finalizers = [] } = metadata;
  const others = finalizers.filter((finalizer) => finalizer !== kind.finalizer);
  await client.patch(type, metadata, { metadata: { uid, finalizers: others } });
  await client.delete(type, metadata, { uid, propagationPolicy: 'Background' });
}

/** Whether a resource of ours was made by a move that was broken off. */
const isMoving = (resource: Resource): boolean =>
  pauseOf(resource, TRUNNION)?.startsWith(`trunnion ${COMMAND}`) ?? false;

const typeOf = ({ ours: { group, kind, plural } }: Translation): ResourceType => ({
  group,
  version: VERSION,
  kind,
  plural,
});
