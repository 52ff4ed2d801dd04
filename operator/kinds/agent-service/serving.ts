import { agentSelector, urlOf } from '../../../constructs/agent-service/render-input.ts';
import { selectorText } from '../../../constructs/parts/objects/index.ts';
import type { BareCondition } from '../../engine/api/index.ts';
import { falseCondition, trueCondition } from '../shared/conditions.ts';
import type { Rollout } from '../shared/rollout.ts';
import type { Context, Part } from './context.ts';

/** Its pods answer requests at its URL. */
export function serve({ observed, rollout, available }: Context): Part {
  return {
    status: {
      ...(observed.service && { url: urlOf(observed.name, observed.namespace, observed.naming) }),
      replicas: rollout.state?.replicas ?? 0,
      readyReplicas: rollout.state?.ready ?? 0,
      selector: selectorText(agentSelector(observed.name)),
    },
    conditions: [available],
  };
}

/** Available: whether requests are answered. */
export function availableOf({ state, diagnosis }: Rollout, progressing: BareCondition): BareCondition {
  const { ready = 0, desired = 0 } = state ?? {};
  if (ready > 0) {
    const counts = `${ready} of ${desired} replicas are ready.`;
    if (ready >= desired) return trueCondition('Available', { reason: 'Available', message: counts });
    const message = diagnosis ? `${counts} ${diagnosis.message}` : counts;
    return trueCondition('Available', { reason: 'Degraded', message });
  }
  if (state && desired === 0) {
    const message = 'There are 0 replicas, as asked. Scale it up to run.';
    return falseCondition('Available', { reason: 'ScaledToZero', message });
  }
  return falseCondition('Available', progressing);
}
