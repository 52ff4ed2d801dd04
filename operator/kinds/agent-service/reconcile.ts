import type { AgentServiceState } from '../../../constructs/agent-service/state.ts';
import type { AgentServiceStatus } from '../../../constructs/agent-service/status.ts';
import type { Result, Snapshot } from '../../engine/api/index.ts';
import { rolloutOf } from '../shared/rollout.ts';
import { scalingOf } from '../shared/scaling.ts';
import { extensionQueries } from '../shared/trouble.ts';
import { policiesQuery } from './egress.ts';
import { modelOf, servedModel } from './model.ts';
import { missingPullSecrets, missingReferences, referenceQueries, referencesHash } from './references.ts';
import { statusOf } from './status.ts';
import { observedOf } from './observed.ts';
import type { AgentServiceResource } from './observed.ts';

/** How soon a status that has been written is acted on: a changed Secret rolls the pods once that is recorded. */
const ACKNOWLEDGED_MS = 1000;

/** It asks for none: a pod that does is told by its own words. */
const NO_GPU = { gpu: 0, gpuResource: '' };

/** What to do now with an AgentService, and what to say of it. */
export function reconcile(
  snapshot: Snapshot<AgentServiceResource>,
  now: number,
): Result<AgentServiceState, AgentServiceStatus> {
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
  const status = statusOf({ observed, model, rollout, scaling }, now);
  const hash = referencesHash(observed);
  const isRecorded = JSON.stringify(status.references) === JSON.stringify(observed.status.references);
  const recorded = isRecorded ? Infinity : now + ACKNOWLEDGED_MS;
  const requeueAt = Math.min(recorded, scaling?.requeueAt ?? Infinity);
  return {
    state: {
      ...(model.binding && { model: servedModel(model.binding) }),
      ...(hash !== undefined && { referencesHash: hash }),
    },
    status,
    queries: [
      ...referenceQueries(observed),
      ...extensionQueries(observed.extensions),
      policiesQuery(),
      ...rollout.queries,
    ],
    ...(requeueAt < Infinity && { requeueAt }),
  };
}
