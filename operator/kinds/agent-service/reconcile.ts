import type { AgentServiceState } from '../../../constructs/agent-service/state.ts';
import type { AgentServiceStatus } from '../../../constructs/agent-service/status.ts';
import { runSteps } from '../../engine/api/index.ts';
import type { Result, Snapshot, LifecycleStep } from '../../engine/api/index.ts';
import { acceptSpec } from '../shared/conditions.ts';
import { rolloutOf } from '../shared/rollout.ts';
import { deploymentState } from '../shared/slices.ts';
import { scale, scalingOf } from '../shared/scaling.ts';
import type { Context } from './context.ts';
import { enforceEgress } from './egress.ts';
import { bindModel, modelOf } from './model.ts';
import { observedOf } from './observed.ts';
import type { AgentServiceResource } from './observed.ts';
import { phaseOf } from './phase.ts';
import { beReady } from './readiness.ts';
import { missingPullSecrets, missingReferences, resolvedRefsOf, resolveReferences } from './references.ts';
import { inspectPods, progressingOf, rollOut } from './rollout.ts';
import { availableOf, serve } from './serving.ts';

/** The life of an AgentService, in its order. What was observed is in the context; each step decides one part. */
const LIFE: readonly LifecycleStep<Context, AgentServiceState, AgentServiceStatus>[] = [
  acceptSpec, // A spec that is not valid is refused before.
  resolveReferences, // Secrets, ConfigMaps and the model that it refers to.
  bindModel, // The ModelServing that it talks to, by name and port.
  serve, // Requests are answered: URL and replicas.
  rollOut, // The newest template replaces the older one, or something keeps it from that.
  enforceEgress, // Other policies of the namespace may open more than the spec does.
  scale, // The number of agents follows the queue.
  beReady, // All of the above is as the spec asks.
  inspectPods, // What pods need to know to tell why they do not start.
];

/** What to do now with an AgentService, and what to say of it. */
export function reconcile(
  snapshot: Snapshot<AgentServiceResource>,
  now: number,
): Result<AgentServiceState, AgentServiceStatus> {
  const { status, ...result } = runSteps(LIFE, contextOf(snapshot, now));
  return { ...result, status: { ...status, phase: phaseOf(result.conditions) } };
}

/** It asks for none: a pod that does is told by its own words. */
const NO_GPU = { gpu: 0, gpuResource: '' };

const QUEUE = 'the queue of spec.autoscaling.queue answers';

function contextOf(snapshot: Snapshot<AgentServiceResource>, now: number): Context {
  const observed = observedOf(snapshot);
  const model = modelOf(observed);
  const rollout = rolloutOf({
    state: observed.deployment && deploymentState(observed.deployment),
    pods: observed.pods,
    asked: { ...NO_GPU, ...observed.spec.resources },
    missing: missingReferences(observed),
    missingPullSecrets: missingPullSecrets(observed),
    answers: snapshot.answers,
  });
  const scaling = observed.spec.autoscaling && scalingOf({ ...observed, source: QUEUE }, now);
  const resolvedRefs = resolvedRefsOf(observed, model);
  const progressing = progressingOf({ observed, model, rollout });
  const available = availableOf(rollout, progressing);
  return { now, observed, model, rollout, scaling, resolvedRefs, progressing, available };
}
