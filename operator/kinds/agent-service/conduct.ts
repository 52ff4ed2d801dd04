import type { AgentServiceRuntime } from '../../../constructs/agent-service/runtime.ts';
import type { AgentServiceStatus } from '../../../constructs/agent-service/spec.ts';
import type { Decision, Snapshot } from '../../engine/kind.ts';
import { rolloutOf } from '../shared/rollout.ts';
import { scalingOf } from '../shared/scaling.ts';
import { extensionAsks } from '../shared/trouble.ts';
import { policiesAsk } from './egress.ts';
import { modelOf, servedModel } from './model.ts';
import { missingPullSecrets, missingReferences, referenceAsks, referencesHash } from './references.ts';
import { statusOf } from './status.ts';
import { viewOf } from './view.ts';
import type { AgentServiceResource } from './view.ts';

/** How soon a status that has been written is acted upon: a changed Secret rolls the pods once that is recorded. */
const ACKNOWLEDGED_MS = 1000;

/** It asks for none: a pod that does is told by its own words. */
const NO_GPU = { gpu: 0, gpuResource: '' };

/** What to do now with an AgentService, and what to say of it. */
export function conduct(
  snapshot: Snapshot<AgentServiceResource>,
  now: number,
): Decision<AgentServiceRuntime, AgentServiceStatus> {
  const view = viewOf(snapshot);
  const model = modelOf(view);
  const rollout = rolloutOf({
    deployment: view.deployment,
    pods: view.pods,
    asked: { ...NO_GPU, ...view.spec.resources },
    missing: missingReferences(view),
    missingPullSecrets: missingPullSecrets(view),
    facts: snapshot.facts,
  });
  const scaling = view.spec.autoscaling && scalingOf(view, now);
  const status = statusOf({ view, model, rollout, scaling }, now);
  const hash = referencesHash(view);
  const isRecorded = JSON.stringify(status.references) === JSON.stringify(view.status.references);
  const recorded = isRecorded ? Infinity : now + ACKNOWLEDGED_MS;
  const wakeAt = Math.min(recorded, scaling?.wakeAt ?? Infinity);
  return {
    runtime: {
      ...(model.binding && { model: servedModel(model.binding) }),
      ...(hash !== undefined && { referencesHash: hash }),
    },
    status,
    asks: [...referenceAsks(view), ...extensionAsks(view.extensions), policiesAsk(), ...rollout.asks],
    ...(wakeAt < Infinity && { wakeAt }),
  };
}
