import type { ModelServingState } from '../../../constructs/model-serving/state.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import type { Query, Result, Snapshot } from '../../engine/api/index.ts';
import { smallest } from '../../../constructs/parts/values/index.ts';
import type { Context } from './conditions.ts';
import { scalingOf } from '../shared/scaling.ts';
import type { Scaling } from '../shared/scaling.ts';
import { drainOf } from './drain.ts';
import type { Drain } from './drain.ts';
import { fetchEgressOf } from './fetch-egress.ts';
import type { FetchEgress } from './fetch-egress.ts';
import { heldOf } from './held.ts';
import { referenceQueries, referencesHash } from './references.ts';
import { rolloutOf } from './rollout.ts';
import { statusOf } from './status.ts';
import { earlierSpec, pinnedImages, templateOf } from './template.ts';
import { extensionQueries, neededBy } from './trouble.ts';
import { unstartedRemovals } from './unstarted.ts';
import { observedOf } from './observed.ts';
import type { ModelServingResource, Observed } from './observed.ts';
import { weightsOf } from './weights.ts';

/** How soon a status that has been written is acted on: see {@link referencesHash}. */
const ACKNOWLEDGED_MS = 1000;

/** What the operator is set to, for all models. */
export interface ModelServingSettings {
  /**
   * An image with the fetcher in it, as the operator's own has it.
   *
   * @default - a public image of Node.js, and a ConfigMap with the program beside each model
   */
  readonly fetcherImage?: string | undefined;
}

/** What to do now with a ModelServing, and what to say of it. */
export function reconcile(
  snapshot: Snapshot<ModelServingResource>,
  now: number,
  { fetcherImage }: ModelServingSettings = {},
): Result<ModelServingState, ModelServingStatus> {
  const observed = observedOf(snapshot, fetcherImage);
  const drain = drainOf(observed, now);
  const weights = weightsOf(observed, now);
  const earlier = earlierSpec(observed, weights, drain);
  const template = templateOf(observed, earlier, drain);
  const held = heldOf(observed, drain, now);
  const rollout = rolloutOf(observed, template);
  const scaling = scalingIn(observed, drain, now);
  const context = { observed, weights, rollout, drain, earlier, template, held, scaling };
  const status = statusOf(context, now);
  const isLeaving = snapshot.resource.metadata.deletionTimestamp !== undefined;
  const fetchEgress = fetchEgressOf(observed, template, drain, now);
  const removals = unstartedRemovals(snapshot.pods, now);
  const requeueAt = wakeAtOf(context, status, fetchEgress, now);
  return {
    state: runtimeOf(context, fetchEgress),
    status,
    queries: queriesOf(context),
    ...(weights.retry && drain.lifecycle === 'serving' && { replace: ['fetch'] }),
    ...(removals.length > 0 && { removePods: removals }),
    ...(requeueAt !== undefined && { requeueAt }),
    ...(drain.lifecycle === 'retired' && isLeaving && { release: true }),
  };
}

/** Whether the number of servers follows the load; nothing where it need not. One that leaves is not scaled any more. */
function scalingIn(observed: Observed, { lifecycle }: Drain, now: number): Scaling | undefined {
  if (observed.spec.autoscaling === undefined || lifecycle !== 'serving') return undefined;
  return scalingOf(
    { snapshot: observed.snapshot, autoscaler: observed.autoscaler, extensions: neededBy(observed) },
    now,
  );
}

function runtimeOf({ observed, drain, earlier, template }: Context, { egress }: FetchEgress): ModelServingState {
  const images = pinnedImages(observed, template);
  const hash = referencesHash(observed, template);
  return {
    ...(earlier && { serving: earlier }),
    ...(drain.lifecycle !== 'serving' && { lifecycle: drain.lifecycle }),
    ...(egress === 'closed' && { fetchEgress: egress }),
    ...(Object.keys(images).length > 0 && { images }),
    ...(hash !== undefined && { referencesHash: hash }),
  };
}

function queriesOf({ observed, weights, drain, template, rollout }: Context): readonly Query[] {
  if (drain.lifecycle === 'retired') return [];
  return [
    ...referenceQueries(observed, template),
    ...extensionQueries(observed),
    ...weights.queries,
    ...rollout.queries,
    ...drain.queries,
  ];
}

/** When to look again by itself. */
function wakeAtOf(
  { observed, weights, drain, held, scaling }: Context,
  status: ModelServingStatus,
  fetchEgress: FetchEgress,
  now: number,
): number | undefined {
  if (drain.lifecycle === 'retired') return held.requeueAt;
  const isRecorded = JSON.stringify(status.references) === JSON.stringify(observed.status.references);
  const times = [
    drain.requeueAt,
    weights.requeueAt,
    fetchEgress.requeueAt,
    scaling?.requeueAt,
    isRecorded ? undefined : now + ACKNOWLEDGED_MS,
  ];
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? smallest(known) : undefined;
}
