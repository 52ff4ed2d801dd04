import { conditionOf, pauseOf } from '../../operator/engine/api/index.ts';
import type { CommonStatus, Condition, Identity, Resource } from '../../operator/engine/api/index.ts';

/** Why nothing at all would be done for a resource, whatever is applied; undefined where something may be. */
export function idleOf({ metadata }: Resource, operator: Identity): string | undefined {
  if (metadata.deletionTimestamp !== undefined) {
    return 'It is being deleted, so what is applied has no effect: apply it again once it is gone.';
  }
  if (pauseOf({ metadata }, operator) === undefined) return undefined;
  return `Nothing is done for it while its annotation ${operator.pausedAnnotation} is there: take the annotation away first.`;
}

/** What a status says of how it ended, as far as a kind has an end; others' kinds have it in our words as well. */
interface EndedStatus extends CommonStatus {
  readonly completionTime?: string;
  readonly workload?: { readonly completionTime?: string };
}

/** What notes are made from. */
export interface Prospect {
  /** What the operator has said of the resource; absent for one that is new. */
  readonly before: CommonStatus | undefined;
  /** What it would say of the resource as it would be. */
  readonly after: CommonStatus;
  /** Fields of the spec that an ended one continues with where they are raised: `spec.tuning.maxTrials`. */
  readonly raisable: readonly string[];
}

/** Why less would be done than somebody expects who changes a resource. */
export function notesOf({ before, after, raisable }: Prospect): readonly string[] {
  if (endOf(after) !== undefined) return [endNote(before, after, raisable)];
  if (conditionOf(after.conditions, 'Suspended')?.status === 'True') {
    return ['It is suspended: no pod runs until spec.suspend is false.'];
  }
  if (conditionOf(after.conditions, 'Progressing')?.reason === 'Retired') {
    return ['It is out of service: it has neither pods nor an endpoint until spec.retired is false.'];
  }
  return [];
}

/** When it ended; undefined where it continues. */
export const endOf = ({ completionTime, workload }: EndedStatus): string | undefined =>
  completionTime ?? workload?.completionTime;

/** What has no end yet in its status ends by what is applied, or has just ended and the operator has not said so. */
function endNote(before: CommonStatus | undefined, after: CommonStatus, raisable: readonly string[]): string {
  const ended = before && endOf(before);
  const raise = raisable.map((field) => `, or raise ${field}`).join('');
  const again = `to run it again, make a new resource${raise}.`;
  if (ended !== undefined)
    return `It has ended (${before?.phase ?? ''}, at ${ended}), and nothing is run again: ${again}`;
  const why = ['Complete', 'Failed'].map((type) => conditionOf(after.conditions, type)).find(holds)?.message;
  return `It ends once this is applied (${after.phase ?? ''}${why ? `: ${why}` : ''}), and nothing is run again: ${again}`;
}

const holds = (condition: Condition | undefined): boolean => condition?.status === 'True';
