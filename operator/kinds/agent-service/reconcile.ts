import type { AgentServiceState } from '../../../constructs/agent-service/state.ts';
import type { AgentServiceStatus } from '../../../constructs/agent-service/status.ts';
import { runSteps } from '../../engine/api/index.ts';
import type { Result, Snapshot, LifecycleStep } from '../../engine/api/index.ts';
import { acceptSpec } from '../shared/conditions.ts';
import { rolloutOf } from '../shared/rollout.ts';
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

/** The life of an AgentService. */
const LIFE: readonly LifecycleStep<Context, AgentServiceState, AgentServiceStatus>[] = [
  acceptSpec,
  resolveReferences,
  bindModel,
  serve,
  rollOut,
  enforceEgress,
  scale,
  beReady,
  inspectPods,
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

function contextOf(snapshot: Snapshot<AgentServiceResource>, now: number): Context {
  const observed = observedOf(snapshot);
  const model = modelOf(observed);
  const rollout = rolloutOf({
    deployment: observed.deployment,
    pods: observed.pods,
    asked: { ...NO_GPU, ...observed.spec.resources },
    missing: missingReferences(observed),
    missingPullSecrets: missingPullSecrets(observed),
    answers: snapshot.answers,
  });
  const scaling = observed.spec.autoscaling && scalingOf(observed, now);
  const resolvedRefs = resolvedRefsOf(observed, model);
  const progressing = progressingOf({ observed, model, rollout });
  const available = availableOf(rollout, progressing);
  return { now, observed, model, rollout, scaling, resolvedRefs, progressing, available };
}
