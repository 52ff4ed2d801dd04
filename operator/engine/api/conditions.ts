import { plainText } from '../../../constructs/parts/values/index.ts';
import type { BareCondition, CommonStatus, Condition, Resource } from './resource.ts';

/** What the API takes of a condition, in characters; see its schema. */
const LONGEST_REASON = 1_024;
const LONGEST_MESSAGE = 32_768;

/** The condition of a type, where there is one. */
export const conditionOf = <C extends BareCondition>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined => conditions?.find((condition) => condition.type === type);

/**
 * Conditions for a status: each keeps its time of transition unless its status (True, False, Unknown) changed. Their
 * words, which may quote a spec, are plain text, and no longer than the API takes.
 *
 * @param before - those of the last status
 * @param generation - the generation that the conditions are about
 * @param now - milliseconds since the epoch
 */
export function stampConditions(
  conditions: readonly BareCondition[],
  before: readonly Condition[] | undefined,
  generation: number,
  now: number,
): readonly Condition[] {
  return conditions.map(({ type, status, ...bare }) => {
    const reason = plainText(bare.reason, { max: LONGEST_REASON });
    const message = plainText(bare.message, { lines: true, max: LONGEST_MESSAGE });
    const last = conditionOf(before, type);
    return {
      type,
      status,
      reason,
      message,
      observedGeneration: generation,
      lastTransitionTime: last?.status === status ? last.lastTransitionTime : timestamp(now),
    };
  });
}

/** The status of a resource as it is, but for some conditions: for what the engine itself has to say. */
export function amendStatus<Status extends CommonStatus>(
  { metadata, status }: Pick<Resource<unknown, Status>, 'metadata' | 'status'>,
  conditions: readonly BareCondition[],
  now: number,
): Status {
  const stamped = stampConditions(conditions, status?.conditions, metadata.generation ?? 0, now);
  const others = status?.conditions?.filter(({ type }) => !conditionOf(stamped, type)) ?? [];
  return { ...status, conditions: [...others, ...stamped] } as unknown as Status;
}

/** A time as the API server writes it: RFC 3339 in whole seconds. */
export const timestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Milliseconds since the epoch; undefined where the text is no time. */
export function instant(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
