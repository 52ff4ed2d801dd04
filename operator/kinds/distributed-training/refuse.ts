import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { Refusal } from '../../../constructs/schema/error.ts';
import { conditionOf, unstamped } from '../../engine/api/index.ts';
import type { BareCondition, BareStatus } from '../../engine/api/index.ts';
import { falseCondition } from '../shared/conditions.ts';
import { reasonOfRefusal } from '../shared/refusal.ts';
import { phaseOf } from './phase.ts';
import type { DistributedTrainingResource } from './observed.ts';

/** The status of a resource whose spec is not valid. What runs, runs on as it was; nothing is changed any more. */
export function refuse(
  resource: DistributedTrainingResource,
  problems: string,
  _seen?: BareStatus<DistributedTrainingStatus>,
  refusal?: Refusal,
): BareStatus<DistributedTrainingStatus> {
  const reason = reasonOfRefusal(refusal);
  const kept = (type: string): BareCondition =>
    conditionOf(resource.status?.conditions, type) ??
    falseCondition(type, { reason, message: 'Nothing has been tried yet.' });
  const conditions = [
    falseCondition('Accepted', { reason, message: problems }),
    ...['Running', 'Restarting', 'Suspended', 'Complete', 'Failed'].map(kept),
  ];
  return { status: { ...unstamped(resource.status), phase: phaseOf(conditions) }, conditions };
}
