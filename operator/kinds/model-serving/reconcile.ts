import type { ModelServingState } from '../../../constructs/model-serving/state.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import { runSteps } from '../../engine/api/index.ts';
import type { Result, Snapshot, LifecycleStep } from '../../engine/api/index.ts';
import { acceptSpec } from '../shared/conditions.ts';
import { scale, scalingOf } from '../shared/scaling.ts';
import type { Context } from './context.ts';
import { drainOf, drainRequests } from './drain.ts';
import { openFetchEgress } from './fetch-egress.ts';
import { observedOf } from './observed.ts';
import type { ModelServingResource } from './observed.ts';
import { phaseOf } from './phase.ts';
import { beReady } from './readiness.ts';
import { resolveReferences } from './references.ts';
import { heldOf, retire } from './retirement.ts';
import { progressingOf, rollOut, rolloutOf } from './rollout.ts';
import { availableOf, serve } from './serving.ts';
import { earlierSpec, templateOf } from './template.ts';
import { neededBy } from './trouble.ts';
import { standingOf } from './standing.ts';
import { stopUnstarted } from './unstarted.ts';
import { fetchWeights, weightsOf } from './weights.ts';

/** The life of a ModelServing, in its order. What was observed is in the context; each step decides one part. */
const LIFE: readonly LifecycleStep<Context, ModelServingState, ModelServingStatus>[] = [
  acceptSpec, // A spec that is not valid is refused before.
  resolveReferences, // Secrets and ConfigMaps that it refers to: their content rolls the pods.
  fetchWeights, // The weights are brought into a volume, once; what failed is fetched again.
  openFetchEgress, // Servers that fetch by themselves reach the host of their model, for as long as they have to.
  serve, // Requests are answered: endpoint and replicas.
  rollOut, // The newest template replaces the older one, or something keeps it from that.
  scale, // The number of servers follows the load.
  drainRequests, // Before it retires or goes, requests in flight end.
  stopUnstarted, // A deleted server that never started has no requests to end, and frees its GPUs in seconds.
  retire, // It is out of service; the finalizer goes once nothing is held.
  beReady, // All of the above is as the spec asks.
];

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
  settings: ModelServingSettings = {},
): Result<ModelServingState, ModelServingStatus> {
  const { status, ...result } = runSteps(LIFE, contextOf(snapshot, now, settings));
  return { ...result, status: { ...status, phase: phaseOf(result.conditions) } };
}

const PROMETHEUS = 'the server of spec.autoscaling.prometheus answers and scrapes the pods';

function contextOf(
  snapshot: Snapshot<ModelServingResource>,
  now: number,
  { fetcherImage }: ModelServingSettings,
): Context {
  const observed = observedOf(snapshot, fetcherImage);
  const drain = drainOf(observed, now);
  const weights = weightsOf(observed, now);
  const earlier = earlierSpec(observed, weights, drain);
  const template = templateOf(observed, earlier, drain);
  const held = heldOf(observed, drain, now);
  const rollout = rolloutOf(observed, template, weights);
  const standing = standingOf(observed, template, drain, rollout);
  // One that leaves is not scaled any more.
  const isScaled = observed.spec.autoscaling !== undefined && drain.lifecycle === 'serving';
  const { autoscaler } = observed;
  const scaled = { snapshot, autoscaler, extensions: neededBy(observed), source: PROMETHEUS };
  const scaling = isScaled ? scalingOf(scaled, now) : undefined;
  const circumstances = { now, observed, drain, weights, earlier, template, held, rollout, standing, scaling };
  const progressing = progressingOf(circumstances);
  return { ...circumstances, progressing, available: availableOf(circumstances, progressing) };
}
