import { plainText } from '../../../constructs/parts/values/index.ts';
import type { Condition } from './kind.ts';

/** What a condition says now, without the bookkeeping. */
export type BareCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** What the API takes of a condition, in characters; see its schema. */
const LONGEST_REASON = 1_024;
const LONGEST_MESSAGE = 32_768;

/** The condition of a type, where there is one. */
export const conditionOf = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

/**
 * Conditions for a status: each keeps its time of transition unless its status (True, False, Unknown) changed. Their
 * words, which may quote a spec, are plain text, and no longer than the API takes.
 *
 * @param before - those of the last status
 * @param generation - the generation that the verdicts are about
 * @param now - milliseconds since the epoch
 */
export function stampConditions(
  verdicts: readonly BareCondition[],
  before: readonly Condition[] | undefined,
  generation: number,
  now: number,
): readonly Condition[] {
  return verdicts.map(({ type, status, ...said }) => {
    const reason = plainText(said.reason, { max: LONGEST_REASON });
    const message = plainText(said.message, { lines: true, max: LONGEST_MESSAGE });
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

/** A time as the API server writes it: RFC 3339 in whole seconds. */
export const timestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Milliseconds since the epoch; undefined where the text is no time. */
export function instant(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
