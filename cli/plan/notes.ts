import { conditionOf } from '../../operator/engine/conditions.ts';
import type { CommonStatus, Resource } from '../../operator/engine/kind.ts';
import { PAUSED_ANNOTATION } from '../../operator/engine/names.ts';
import { pauseOf } from '../../operator/engine/pause.ts';

/** Why nothing at all would be done for a resource, whatever is applied; undefined where something may be. */
export function idleOf({ metadata }: Resource): string | undefined {
  if (metadata.deletionTimestamp !== undefined) {
    return 'It is being deleted, so what is applied has no effect: apply it again once it is gone.';
  }
  if (pauseOf({ metadata }) === undefined) return undefined;
  return `Nothing is done for it while its annotation ${PAUSED_ANNOTATION} is there: take the annotation away first.`;
}

/** What a status says of how it ended, as far as a kind has an end; others' kinds have it in our words as well. */
interface EndedStatus extends CommonStatus {
  readonly completionTime?: string;
  readonly workload?: { readonly completionTime?: string };
}

/**
 * Why less would be done than somebody expects who changes a resource.
 *
 * @param status - what the operator would say of the resource as it would be
 */
export function notesOf(status: EndedStatus): readonly string[] {
  const { phase = '', completionTime = status.workload?.completionTime, conditions } = status;
  if (completionTime !== undefined) {
    return [
      `It has ended (${phase}, at ${completionTime}), and nothing is run anew: to run it again, make a new resource.`,
    ];
  }
  if (conditionOf(conditions, 'Suspended')?.status === 'True') {
    return ['It is suspended: no pod runs until spec.suspend is false.'];
  }
  if (conditionOf(conditions, 'Progressing')?.reason === 'Retired') {
    return ['It is out of service: it has neither pods nor an endpoint until spec.retired is false.'];
  }
  return [];
}
