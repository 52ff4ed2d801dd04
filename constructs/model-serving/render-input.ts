import type { Naming } from '../parts/objects/index.ts';
import { isFetched, isSameModel, parseModelUri } from '../parts/weights/index.ts';
import type { WeightsInput } from '../parts/weights/index.ts';
import { isGrouped } from './launch.ts';
import { FOLDER_WITHOUT_GGUF } from './engines.ts';
import { equipmentOf } from './equipment.ts';
import type { ModelServingState } from './state.ts';
import type { ModelServingSpec } from './spec.ts';

/** The value of `app.kubernetes.io/name` on all that a ModelServing is made of. */
export const KIND_LABEL = 'model-serving';

/** What a ModelServing is made from, once its spec is valid. */
export interface RenderInput {
  readonly name: string;
  readonly namespace: string;
  /** What is wanted. */
  readonly spec: ModelServingSpec;
  /** What the pods run: `spec`, or the earlier one while weights are fetched. */
  readonly pods: ModelServingSpec;
  /** The earlier spec, where its weights lie on another volume that its pods still use. */
  readonly earlier: ModelServingSpec | undefined;
  readonly state: ModelServingState;
  readonly naming: Naming | undefined;
  /** The image with the fetcher in it that the host has set, where it has. */
  readonly fetcherImage: string | undefined;
}

/** Decides which spec the pods follow. */
export function renderInputOf(
  name: string,
  namespace: string,
  spec: ModelServingSpec,
  state: ModelServingState,
  naming?: Naming,
  fetcherImage?: string,
): RenderInput {
  const { serving } = state;
  // A drain must not restart pods, whatever else has changed.
  const stays = hasFetchJob(spec) || state.lifecycle === 'draining' || isGrouped(spec);
  const pods = serving !== undefined && stays ? serving : spec;
  const moved = serving !== undefined && hasWeights(serving) && !isSameModel(serving.model, spec.model);
  return { name, namespace, spec, pods, earlier: moved ? serving : undefined, state, naming, fetcherImage };
}

/** Whether the engine's own image holds the model, so that there is nothing to mount. */
export function isInEngineImage({ model, engine }: ModelServingSpec): boolean {
  const uri = parseModelUri(model.uri);
  return uri.scheme === 'oci' && uri.reference === engine.image;
}

/** Whether weights are fetched onto a volume of the workload's own. */
export const hasWeights = (spec: ModelServingSpec): boolean => isFetched(parseModelUri(spec.model.uri));

/**
 * Whether only one node may mount the volume, so that there is one pod, which fetches by itself: a Job and a server on
 * different nodes would wait for each other forever.
 */
export const isSingleMount = (spec: ModelServingSpec): boolean =>
  hasWeights(spec) && spec.storage?.accessMode === 'ReadWriteOnce';

/** Whether a Job fetches, for all replicas. */
export const hasFetchJob = (spec: ModelServingSpec): boolean => hasWeights(spec) && !isSingleMount(spec);

/** Whether there may ever be more than one replica. */
export const canHaveReplicas = (spec: ModelServingSpec): boolean =>
  spec.autoscaling ? spec.autoscaling.maxReplicas > 1 : !isSingleMount(spec) && (spec.replicas ?? 2) > 1;

/** What the weights of a spec are made from. */
export const weightsInput = (input: RenderInput, spec: ModelServingSpec): WeightsInput => ({
  kind: KIND_LABEL,
  name: input.name,
  namespace: input.namespace,
  spec,
  program: programOf(input, spec),
  takesFolderOfGguf: !FOLDER_WITHOUT_GGUF.includes(spec.engine.type),
  server: equipmentOf(input.name, spec),
});

/**
 * What the spec names stands above what was pinned, and that above what the host sets. While another model is fetched, what was
 * pinned is for the pods of the earlier one alone: it may not know what the wanted one asks for.
 */
function programOf({ state: { images }, fetcherImage, earlier, spec: wanted }: RenderInput, spec: ModelServingSpec) {
  if (spec.fetcher?.image !== undefined) return { image: spec.fetcher.image, isBuiltIn: false };
  const isPinned = earlier === undefined || spec !== wanted;
  if (isPinned && images?.fetcher !== undefined)
    return { image: images.fetcher, isBuiltIn: images.isFetcherBuiltIn === true };
  return fetcherImage === undefined ? undefined : { image: fetcherImage, isBuiltIn: true };
}

/** Whether a ConfigMap brings the program that fetches the weights of a spec. */
export const needsFetcherScript = (input: RenderInput, spec: ModelServingSpec): boolean =>
  hasWeights(spec) && programOf(input, spec)?.isBuiltIn !== true;
