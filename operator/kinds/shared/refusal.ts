import type { Refusal } from '../../../constructs/schema/error.ts';
import { conditionOf, unstamped } from '../../engine/api/index.ts';
import type { BareCondition, BareStatus, CommonStatus, Resource } from '../../engine/api/index.ts';
import { falseCondition } from './conditions.ts';

/** The reason of the conditions of a spec that is refused. */
export function reasonOfRefusal(refusal?: Refusal): Refusal {
  return refusal === 'AnnotationNotAllowed' ? 'AnnotationNotAllowed' : 'InvalidSpec';
}

interface ReplicasStatus extends CommonStatus {
  readonly replicas?: number;
  readonly readyReplicas?: number;
}

type Refuse<Status extends ReplicasStatus> = (
  resource: Resource<unknown, Status>,
  problems: string,
  seen?: BareStatus<Status>,
  refusal?: Refusal,
) => BareStatus<Status>;

/**
 * How a kind with replicas refuses a spec that can't work. What runs, runs on as it was; nothing is changed any more.
 *
 * @param kept - the type of the condition beside Available that stays as it was
 */
export const refuseKeeping =
  <Status extends ReplicasStatus>(
    kept: string,
    phaseOf: (conditions: readonly BareCondition[]) => Status['phase'],
  ): Refuse<Status> =>
  (resource, problems, seen, refusal) => {
    const before = resource.status?.conditions;
    const reason = reasonOfRefusal(refusal);
    const refused = { reason, message: problems };
    const untried = { status: 'Unknown', reason, message: 'Nothing has been tried yet.' } as const;
    const { replicas, readyReplicas } = seen?.status ?? {};
    const conditions: readonly BareCondition[] = [
      falseCondition('Accepted', refused),
      conditionOf(before, kept) ?? { type: kept, ...untried },
      conditionOf(seen?.conditions, 'Available') ??
        conditionOf(before, 'Available') ?? { type: 'Available', ...untried },
      falseCondition('Progressing', refused),
      falseCondition('Ready', refused),
    ];
    const status = {
      ...unstamped(resource.status),
      phase: phaseOf(conditions),
      ...(replicas !== undefined && { replicas }),
      ...(readyReplicas !== undefined && { readyReplicas }),
    };
    return { status, conditions };
  };
