import {
  HEALTH_RULES,
  type Health,
  type HealthRule,
  PAUSED_ANNOTATION,
} from '../../../stacks/operator/gitops/rules.ts';
import { type Condition, conditionOf, type Resource } from '../../../operator/engine/api/index.ts';
import type { LineState } from '../api.ts';

const STATES: Readonly<Record<Health, LineState>> = {
  Healthy: 'ok',
  Progressing: 'waiting',
  Suspended: 'waiting',
  Degraded: 'failed',
};

/**
 * How a resource does: as the rules of Argo CD and Flux have it, but that a training which runs is well, and so is a model
 * that is out of service since its user wants that.
 */
export function lineStateOf({ metadata, status }: Pick<Resource, 'metadata' | 'status'>): LineState {
  const { conditions = [], observedGeneration = 0 } = status ?? {};
  const isUnseen = observedGeneration < (metadata.generation ?? 0);
  if (isUnseen || metadata.annotations?.[PAUSED_ANNOTATION] !== undefined) return 'waiting';
  for (const rule of HEALTH_RULES) {
    const condition = conditionOf(conditions, rule.type);
    if (condition === undefined || !holds(rule, condition, conditions)) continue;
    const isAsWanted = (rule.type === 'Running' && condition.status === 'True') || rule.reason === 'Retired';
    return isAsWanted ? 'ok' : STATES[rule.health];
  }
  return 'waiting';
}

const holds = (
  { status, reason, otherThan, without }: HealthRule,
  condition: Condition,
  conditions: readonly Condition[],
): boolean =>
  (status === undefined || condition.status === status) &&
  (reason === undefined || condition.reason === reason) &&
  condition.reason !== otherThan &&
  (without === undefined || conditionOf(conditions, without) === undefined);
