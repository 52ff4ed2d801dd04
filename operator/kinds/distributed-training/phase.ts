import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { BareCondition } from '../../engine/api/index.ts';

export type Phase = NonNullable<DistributedTrainingStatus['phase']>;

/** The phase: one word for people, which holds nothing that the conditions don't. */
export function phaseOf(conditions: readonly BareCondition[]): Phase {
  const is = (type: string) => conditions.some((condition) => condition.type === type && condition.status === 'True');
  const waits = conditions.find(({ type }) => type === 'Running')?.reason;
  if (is('Complete')) return 'Completed';
  if (is('Failed')) return 'Failed';
  if (is('Suspended')) return 'Suspended';
  if (is('Running')) return 'Running';
  if (waits === 'Queued') return 'Queued';
  if (is('Restarting')) return 'Restarting';
  return is('Accepted') ? 'Pending' : 'Failed';
}
