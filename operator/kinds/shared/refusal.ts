import type { Refusal } from '../../../constructs/schema/error.ts';

/** The reason of the conditions of a spec that is refused. */
export function reasonOfRefusal(refusal?: Refusal): Refusal {
  return refusal === 'AnnotationNotAllowed' ? 'AnnotationNotAllowed' : 'InvalidSpec';
}
