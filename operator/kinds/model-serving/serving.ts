import { endpointOf } from '../../../constructs/model-serving/launch.ts';
import { serverSelector } from '../../../constructs/model-serving/manifests.ts';
import { selectorText } from '../../../constructs/parts/objects/index.ts';
import type { BareCondition } from '../../engine/api/index.ts';
import { falseCondition, trueCondition } from '../shared/conditions.ts';
import type { Circumstances, Context, Part } from './context.ts';
import { leaving } from './retirement.ts';

/** Its servers answer requests at its endpoint. */
export function serve({ observed, drain, rollout, standing, template, available }: Context): Part {
  const { metadata } = observed.snapshot.resource;
  const isDeployed = rollout.state !== undefined || standing !== undefined;
  const answers = drain.lifecycle === 'serving' && observed.service !== undefined && isDeployed;
  return {
    status: {
      ...(answers && { endpoint: endpointOf(observed.name, metadata.namespace ?? '', template) }),
      replicas: (rollout.state?.replicas ?? 0) + (standing?.replicas ?? 0),
      readyReplicas: (rollout.state?.ready ?? 0) + (standing?.ready ?? 0),
      selector: selectorText(serverSelector(observed.name)),
    },
    conditions: [available],
  };
}

/** Available: whether requests are answered. */
export function availableOf(context: Circumstances, progressing: BareCondition): BareCondition {
  const { drain, rollout, standing } = context;
  if (drain.lifecycle !== 'serving') return falseCondition('Available', leaving(context));
  const { ready = 0, desired = 0 } = rollout.state ?? {};
  if (standing !== undefined && standing.ready > 0 && context.observed.service !== undefined) {
    const message = `${standing.ready} replicas of the earlier kind answer.`;
    return trueCondition('Available', { reason: 'Available', message });
  }
  if (isUp(context)) {
    const counts = `${ready} of ${desired} replicas are ready.`;
    if (ready >= desired) return trueCondition('Available', { reason: 'Available', message: counts });
    const message = rollout.diagnosis ? `${counts} ${rollout.diagnosis.message}` : counts;
    return trueCondition('Available', { reason: 'Degraded', message });
  }
  if (rollout.state && desired === 0) {
    const message = 'There are 0 replicas, as asked. Scale it up to be served.';
    return falseCondition('Available', { reason: 'ScaledToZero', message });
  }
  return falseCondition('Available', progressing);
}

/** Whether the endpoint answers. */
export const isUp = ({ observed, rollout, standing }: Pick<Context, 'observed' | 'rollout' | 'standing'>): boolean =>
  observed.service !== undefined && (rollout.state?.ready ?? 0) + (standing?.ready ?? 0) > 0;
