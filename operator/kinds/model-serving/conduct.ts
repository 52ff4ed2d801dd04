import type { ModelServingRuntime } from '../../../constructs/model-serving/runtime.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/spec.ts';
import type { Ask } from '../../engine/asks.ts';
import type { Decision, Snapshot } from '../../engine/kind.ts';
import { smallest } from '../../../constructs/parts/extremes.ts';
import type { Situation } from './conditions.ts';
import { scalingOf } from '../shared/scaling.ts';
import type { Scaling } from '../shared/scaling.ts';
import { drainOf } from './drain.ts';
import type { Drain } from './drain.ts';
import { fetchEgressOf } from './fetch-egress.ts';
import type { FetchEgress } from './fetch-egress.ts';
import { heldOf } from './held.ts';
import { referenceAsks, referencesHash } from './references.ts';
import { rolloutOf } from './rollout.ts';
import { statusOf } from './status.ts';
import { earlierSpec, pinnedImages, templateOf } from './template.ts';
import { extensionAsks, neededBy } from './trouble.ts';
import { unstartedRemovals } from './unstarted.ts';
import { viewOf } from './view.ts';
import type { ModelServingResource, View } from './view.ts';
import { weightsOf } from './weights.ts';

/** How soon a status that has been written is acted upon: see {@link referencesHash}. */
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
export function conduct(
  snapshot: Snapshot<ModelServingResource>,
  now: number,
  { fetcherImage }: ModelServingSettings = {},
): Decision<ModelServingRuntime, ModelServingStatus> {
  const view = viewOf(snapshot, fetcherImage);
  const drain = drainOf(view, now);
  const weights = weightsOf(view, now);
  const earlier = earlierSpec(view, weights, drain);
  const template = templateOf(view, earlier, drain);
  const held = heldOf(view, drain, now);
  const rollout = rolloutOf(view, template);
  const scaling = scalingIn(view, drain, now);
  const situation = { view, weights, rollout, drain, earlier, template, held, scaling };
  const status = statusOf(situation, now);
  const isLeaving = snapshot.resource.metadata.deletionTimestamp !== undefined;
  const fetchEgress = fetchEgressOf(view, template, drain, now);
  const removals = unstartedRemovals(snapshot.pods, now);
  const wakeAt = wakeAtOf(situation, status, fetchEgress, now);
  return {
    runtime: runtimeOf(situation, fetchEgress),
    status,
    asks: asksOf(situation),
    ...(weights.retry && drain.lifecycle === 'serving' && { replace: ['fetch'] }),
    ...(removals.length > 0 && { removePods: removals }),
    ...(wakeAt !== undefined && { wakeAt }),
    ...(drain.lifecycle === 'retired' && isLeaving && { release: true }),
  };
}

/** Whether the number of servers follows the load; nothing where it need not. One that leaves is not scaled any more. */
function scalingIn(view: View, { lifecycle }: Drain, now: number): Scaling | undefined {
  if (view.spec.autoscaling === undefined || lifecycle !== 'serving') return undefined;
  return scalingOf({ snapshot: view.snapshot, autoscaler: view.autoscaler, extensions: neededBy(view) }, now);
}

function runtimeOf({ view, drain, earlier, template }: Situation, { egress }: FetchEgress): ModelServingRuntime {
  const images = pinnedImages(view, template);
  const hash = referencesHash(view, template);
  return {
    ...(earlier && { serving: earlier }),
    ...(drain.lifecycle !== 'serving' && { lifecycle: drain.lifecycle }),
    ...(egress === 'closed' && { fetchEgress: egress }),
    ...(Object.keys(images).length > 0 && { images }),
    ...(hash !== undefined && { referencesHash: hash }),
  };
}

function asksOf({ view, weights, drain, template, rollout }: Situation): readonly Ask[] {
  if (drain.lifecycle === 'retired') return [];
  return [...referenceAsks(view, template), ...extensionAsks(view), ...weights.asks, ...rollout.asks, ...drain.asks];
}

/** When to look again by itself. */
function wakeAtOf(
  { view, weights, drain, held, scaling }: Situation,
  status: ModelServingStatus,
  fetchEgress: FetchEgress,
  now: number,
): number | undefined {
  if (drain.lifecycle === 'retired') return held.wakeAt;
  const isRecorded = JSON.stringify(status.references) === JSON.stringify(view.status.references);
  const times = [
    drain.wakeAt,
    weights.wakeAt,
    fetchEgress.wakeAt,
    scaling?.wakeAt,
    isRecorded ? undefined : now + ACKNOWLEDGED_MS,
  ];
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? smallest(known) : undefined;
}
