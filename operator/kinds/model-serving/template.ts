import { isGrouped } from '../../../constructs/model-serving/launch.ts';
import { canRun, releaseOf } from '../../../constructs/model-serving/images.ts';
import { engineImageOf } from '../../../constructs/model-serving/launch.ts';
import type { ModelServingState } from '../../../constructs/model-serving/state.ts';
import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import { FETCHER_IMAGE, isSameModel } from '../../../constructs/parts/weights/index.ts';
import type { Drain } from './context.ts';
import { deploymentState } from '../shared/slices.ts';
import { isReplacing } from './groups.ts';
import { isDeployed, mounts } from './observed.ts';
import type { Observed } from './observed.ts';
import type { Weights } from './weights-state.ts';

/**
 * The earlier spec whose pods still serve, where it is not `spec`:
 *
 * - while a Job fetches another model
 * - while pods of another model give way to those that fetch by themselves
 * - while it drains, when nothing may restart pods
 * - while a group is replaced by the change before: another one has to wait for it
 */
export function earlierSpec(observed: Observed, weights: Weights, { lifecycle }: Drain): ModelServingSpec | undefined {
  const { mode, servers, spec, status } = observed;
  const served = status.served?.spec;
  if (lifecycle === 'draining') return served;
  if (lifecycle === 'serving' && served !== undefined && waitsForGroup(observed, served)) return served;
  if (lifecycle === 'retired' || served === undefined || isSameModel(served.model, spec.model)) return undefined;
  const gives = mode === 'server' && servers.some((pod) => mounts(pod, served.model));
  return gives || (mode === 'job' && !weights.ready) ? served : undefined;
}

/** The spec that the pods are made from: as the construct has it. */
export const templateOf = (
  { mode, spec }: Observed,
  earlier: ModelServingSpec | undefined,
  { lifecycle }: Drain,
): ModelServingSpec =>
  earlier !== undefined && (mode === 'job' || lifecycle === 'draining' || isGrouped(spec)) ? earlier : spec;

/** Whether a rollout may leave no replica missing, as its defaults have it. */
const mayMissNone = ({ rollout = {} }: ModelServingSpec): boolean =>
  rollout.maxSurge !== 0 && (rollout.maxUnavailable ?? 0) === 0;

/**
 * Whether a change of the pods of groups has to wait, so that none is missing to it. What the spec says beside its pods does not, and
 * nothing does where one may be missing: so a user gets past a group that starts and never gets ready.
 */
export const waitsForGroup = (observed: Observed, served: ModelServingSpec): boolean =>
  observed.leaderWorkerSet !== undefined &&
  mayMissNone(observed.spec) &&
  isGrouped(served) &&
  isGrouped(observed.spec) &&
  isReplacing(observed.groups, deploymentState(observed.leaderWorkerSet).desired);

/**
 * The spec whose pods serve, for the status. The earlier one stays until its last pod is gone: until then the new one
 * has not proved itself, and a third model's download continues beside what serves.
 */
export function servedSpec(
  observed: Observed,
  earlier: ModelServingSpec | undefined,
  { lifecycle }: Drain,
): ModelServingStatus['served'] {
  const { servers, spec, status } = observed;
  const { served } = status;
  if (lifecycle === 'retired') return undefined;
  if (earlier !== undefined || !isDeployed(observed)) return served;
  const isLast = served !== undefined && !isSameModel(served.spec.model, spec.model);
  return isLast && servers.some((pod) => mounts(pod, served.spec.model)) ? served : { spec };
}

/**
 * The default images that were chosen before, so that an upgrade of the operator restarts nothing; that of the fetcher is the
 * one that the operator is set to where none was chosen yet, and for another model, whose pods are others anyway: an earlier
 * fetcher may not know what that one asks for.
 */
export function pinnedImages(
  { status: { engine, served }, fetcherImage }: Observed,
  template: ModelServingSpec,
): NonNullable<ModelServingState['images']> {
  const isOther = engine?.type !== template.engine.type || (served && needsOtherBuild(served.spec, template));
  const isMoved = served !== undefined && !isSameModel(served.spec.model, template.model);
  const pinned = template.engine.image === undefined && engine?.pinned === true ? engine.image : undefined;
  const keeps = isOther !== true && pinned !== undefined && canRun(template, pinned);
  return {
    ...(keeps && { engine: pinned }),
    ...(template.fetcher?.image === undefined && pinnedFetcher(isMoved ? undefined : engine, fetcherImage)),
  };
}

const pinnedFetcher = (
  engine: ModelServingStatus['engine'],
  set: string | undefined,
): NonNullable<ModelServingState['images']> => {
  if (engine?.fetcherImage !== undefined) {
    return { fetcher: engine.fetcherImage, ...(engine.isFetcherBuiltIn === true && { isFetcherBuiltIn: true }) };
  }
  return set === undefined ? {} : { fetcher: set, isFetcherBuiltIn: true };
};

/** Whether what the pods compute on has changed to what the engine has another image for. */
const needsOtherBuild = (served: ModelServingSpec, template: ModelServingSpec): boolean =>
  releaseOf(served, template.engine.type) !== releaseOf(template);

/** The images, for the status, from when they are first used. */
export function imagesInUse(
  observed: Observed,
  template: ModelServingSpec,
  { lifecycle }: Drain,
): ModelServingStatus['engine'] {
  const { jobs, mode, status } = observed;
  const deployed = isDeployed(observed);
  if (lifecycle === 'retired') return undefined;
  if (!deployed && jobs.length === 0) return status.engine;
  const pins = pinnedImages(observed, template);
  const fetches = (mode === 'job' || mode === 'server') && template.fetcher?.image === undefined;
  // The table has no image for it, and the schema demands one.
  const image = template.engine.type === 'custom' ? template.engine.image : engineImageOf(template, pins.engine);
  return {
    ...(deployed && {
      type: template.engine.type,
      ...(image !== undefined && { image }),
      pinned: template.engine.image === undefined,
    }),
    ...(fetches && {
      fetcherImage: pins.fetcher ?? FETCHER_IMAGE,
      ...(pins.isFetcherBuiltIn === true && { isFetcherBuiltIn: true }),
    }),
  };
}
