import { TRUNNION } from '../../operator/trunnion.ts';
import type { Kind, Resource } from '../../operator/engine/api/index.ts';
import { listAll, pagesOf, podSelector } from '../../operator/engine/observe/index.ts';
import { ApiError, Discovery, type KubeClient, type KubeObject, TYPES } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import { nodesOf } from '../nodes/list.ts';
import { askExporters, exportersOn, type GpuAnswers } from './dcgm.ts';
import { askEngines, type Dial } from './engines.ts';
import { keyOf } from './key.ts';
import { gpuTest, type IsGpu, nodeGpus, topPodOf } from './pods.ts';
import type { Observed, TopPod, TopResource } from './types.ts';

/** What a port-forward takes that the API server refuses without words. */
const NEEDED_RIGHTS = '; it needs the rights to get and create pods/portforward';

/** For all that pods are asked, in one look. */
const LOOK_MS = 15_000;

/** Pods that have ended hold nothing. */
const NOT_ENDED = 'status.phase!=Succeeded,status.phase!=Failed';

/** Pods of a page: some tell 20 kB each. */
const PAGE = 500;

/** What is looked at, and by what. */
export interface Place {
  readonly client: KubeClient;
  readonly dial: Dial;
  readonly kinds: readonly Kind[];
  /** Undefined for all of them, and the nodes. */
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
}

/** Looks once at all resources, their pods, their engines and their GPUs, as far as the caller may. */
export async function observe({ client, dial, kinds, namespace, signal }: Place): Promise<Observed> {
  const notes: string[] = [];
  const found = await resourcesIn(client, kinds, namespace, notes);
  const isGpu = gpuTest(new Set(found.flatMap(({ gpuResource }) => gpuResource ?? [])));
  const resources = found.map(({ resource }) => resource);
  const pods = await podsIn(client, namespace, isGpu).catch(
    refusedInto(notes, `GPUs, requests and tokens are unknown: you may not list pods ${inWords(namespace)}`),
  );
  const isOfOurs = ourPods(resources);
  const own = (pods ?? []).filter(isOfOurs);
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]);
  const asked = own.filter(({ metrics }) => metrics !== undefined);
  const [engines, gpus, nodes] = await Promise.all([
    askEngines(asked, dial, inTime),
    gpusOf(client, own, dial, inTime, notes),
    namespace === undefined && pods !== undefined ? nodesOf(client) : undefined,
  ]);
  if (engines.failures.length > 0) {
    const [{ words } = { words: '' }] = engines.failures;
    notes.push(
      `${engines.failures.length} of ${asked.length} engines tell no requests and tokens: ${words}${words.endsWith('it was refused') ? NEEDED_RIGHTS : ''}`,
    );
  }
  if (namespace === undefined && nodes === undefined && pods !== undefined)
    notes.push('The GPUs of the nodes are unknown: you may not list nodes');
  return {
    resources,
    ...(pods !== undefined && { pods: pods.map((pod) => ({ ...pod, isOurs: isOfOurs(pod) })) }),
    engines: engines.readings,
    utilisation: gpus.utilisation,
    ...(nodes !== undefined && pods !== undefined && { nodes: nodeGpus(nodes, pods, isGpu) }),
    notes,
  };
}

const inWords = (namespace: string | undefined): string =>
  namespace === undefined ? 'in all namespaces' : `in ${namespace}`;

/** Passes over what the caller may not see, and says so. */
const refusedInto =
  (notes: string[], note: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    notes.push(note);
  };

interface Found {
  readonly resource: TopResource;
  readonly gpuResource?: string;
}

/** @throws CliError where there is no kind of resource, and where none may be listed */
async function resourcesIn(
  client: KubeClient,
  kinds: readonly Kind[],
  namespace: string | undefined,
  notes: string[],
): Promise<readonly Found[]> {
  const discovery = new Discovery(client);
  const served: Kind[] = [];
  for (const kind of kinds) if (await discovery.isServed(kind.type)) served.push(kind);
  if (served.length === 0)
    throw new CliError('the cluster has no kind of Trunnion: install them with trunnion install');
  const refused: string[] = [];
  const lists = await Promise.all(
    served.map(async (kind) => {
      const objects = await listAll(client, kind.type, namespace).catch(refusedInto(refused, kind.type.plural));
      return (objects ?? []).map((object) => foundOf(kind, object as unknown as Resource));
    }),
  );
  const words = `you may not list ${refused.toSorted().join(', ')} ${inWords(namespace)}`;
  if (refused.length === served.length) throw new CliError(words);
  if (refused.length > 0) notes.push(`Some resources are left out: ${words}`);
  return lists.flat();
}

/** The fields that are read; a status may be of an earlier operator. */
interface Fields {
  readonly spec?: { readonly resources?: { readonly gpuResource?: unknown } };
  readonly status?: { readonly [field in 'readyReplicas' | 'readyPods' | 'replicas']?: unknown };
}

function foundOf({ label }: Kind, { kind, metadata, status, spec }: Resource): Found {
  const { readyReplicas, readyPods, replicas } = (status ?? {}) as NonNullable<Fields['status']>;
  const gpuResource = (spec as Fields['spec'])?.resources?.gpuResource;
  const ready = readyReplicas ?? readyPods;
  return {
    resource: {
      kind,
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      label,
      phase: status?.phase ?? '',
      ...(typeof ready === 'number' && { ready }),
      ...(typeof replicas === 'number' && { desired: replicas }),
    },
    ...(typeof gpuResource === 'string' && { gpuResource }),
  };
}

/** Of one namespace the pods of resources, of all namespaces also those that hold GPUs beside them. */
async function podsIn(client: KubeClient, namespace: string | undefined, isGpu: IsGpu): Promise<readonly TopPod[]> {
  const pods: TopPod[] = [];
  const query = {
    fieldSelector: NOT_ENDED,
    limit: PAGE,
    ...(namespace !== undefined && { namespace, labelSelector: podSelector(TRUNNION) }),
  };
  for await (const page of pagesOf(client, TYPES.pod, query)) {
    for (const object of page) {
      const pod = topPodOf(object, isGpu);
      if (pod !== undefined && (pod.isOurs || pod.gpus > 0)) pods.push(pod);
    }
  }
  return pods;
}

/** Labels are anyone's: a pod counts as ours where there is a resource that they name. */
function ourPods(resources: readonly TopResource[]): (pod: TopPod) => boolean {
  const known = new Set(resources.map(({ namespace, label, name }) => `${namespace}/${label}/${name}`));
  return ({ isOurs, namespace, label, instance }) => isOurs && known.has(`${namespace}/${label}/${instance}`);
}

const NOTHING: GpuAnswers = { utilisation: new Map(), failures: [] };

/** How busy the GPUs of pods are, by DCGM. */
async function gpusOf(
  client: KubeClient,
  own: readonly TopPod[],
  dial: Dial,
  signal: AbortSignal,
  notes: string[],
): Promise<GpuAnswers> {
  const holders = own.filter(({ gpus, node }) => gpus > 0 && node !== undefined);
  if (holders.length === 0) return NOTHING;
  const nodes = new Set(holders.flatMap(({ node }) => node ?? []));
  const exporters: readonly KubeObject[] | undefined = await exportersOn(client, nodes).catch(
    refusedInto(notes, 'GPU% and IDLE are unknown: you may not list pods in all namespaces, where dcgm-exporter runs'),
  );
  if (exporters === undefined) return NOTHING;
  if (exporters.length === 0) {
    notes.push('GPU% and IDLE are unknown: no dcgm-exporter runs on the nodes of these pods');
    return NOTHING;
  }
  const answers = await askExporters(exporters, dial, signal);
  const [failure] = answers.failures;
  if (failure !== undefined)
    notes.push(`${answers.failures.length} of ${exporters.length} dcgm-exporters tell nothing: ${failure.words}`);
  const silent = holders.filter((pod) => !answers.utilisation.has(keyOf(pod))).length;
  if (silent > 0 && failure === undefined)
    notes.push(`DCGM tells no utilisation of the GPUs of ${silent} of ${holders.length} pods`);
  return answers;
}
