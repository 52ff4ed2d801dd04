import { isGrouped } from '../../../constructs/model-serving/launch.ts';
import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import type { DeploymentState } from '../shared/slices.ts';
import { deploymentState } from '../shared/slices.ts';
import type { Rollout } from '../shared/rollout.ts';
import type { Drain, Standing } from './context.ts';
import { groupsState } from './groups.ts';
import type { Observed } from './observed.ts';

/** How what makes the servers of a spec stands: a LeaderWorkerSet, where each has several pods, else a Deployment. */
export function stateOf(observed: Observed, template: ModelServingSpec): DeploymentState | undefined {
  if (!isGrouped(template)) return observed.deployment && deploymentState(observed.deployment);
  return observed.leaderWorkerSet && groupsState(observed.leaderWorkerSet, observed.groups);
}

/**
 * The servers that stay while those of another shape start. A Deployment can't turn into a LeaderWorkerSet, so there are both
 * until the new one answers. With `rollout.maxSurge: 0` there is no room for both, and the old one goes first.
 */
export function standingOf(
  observed: Observed,
  template: ModelServingSpec,
  { lifecycle }: Drain,
  { complete, state }: Rollout,
): Standing | undefined {
  const served = observed.status.served?.spec;
  if (lifecycle !== 'serving' || served === undefined || observed.spec.rollout?.maxSurge === 0) return undefined;
  if (isGrouped(served) === isGrouped(template)) return undefined;
  const earlier = stateOf(observed, served);
  const isReplaced = complete && state !== undefined && state.ready >= state.desired;
  if (earlier === undefined || isReplaced) return undefined;
  return { spec: served, ready: earlier.ready, replicas: earlier.replicas };
}
