import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import type { Tuning } from '../../../../constructs/distributed-training/trial.ts';
import { computationQuery, instant, timestamp } from '../../../engine/api/index.ts';
import type { Query, Answer } from '../../../engine/api/index.ts';
import { delayAfter } from '../../../kube/index.ts';
import { asText, historyOf, searchOf } from './optimizer-input.ts';
import type { SuggestedTrials, SuggestionInput } from './suggestions.ts';
import type { TrialLine } from './trials.ts';

/** That the next trial could not be chosen, as the status has it. */
export type FailedSuggestion = NonNullable<NonNullable<DistributedTrainingStatus['tuning']>['suggestion']>;

/** What is known of the trials that come next. */
export interface Suggestion {
  /** Their assignments, in their order; none where they are not known yet. */
  readonly assignments: readonly TrialLine['assignments'][];
  /** Whether nothing is left after them that has not been tried. */
  readonly exhausted: boolean;
  readonly queries: readonly Query[];
  /** Present from the first time that they could not be chosen until they are. */
  readonly failed?: FailedSuggestion;
  /** Whether to stop trying, unless a trial that runs brings a new value. */
  readonly givenUp?: boolean;
  /** When it is tried again, in milliseconds since the epoch. */
  readonly requeueAt?: number;
}

/** What a search is to do where there is no place for another trial. */
export const NO_SUGGESTION: Suggestion = { assignments: [], exhausted: false, queries: [] };

/** So often in a row a search without trials that run tries to choose the next one, and is given up then. */
const MOST_FAILURES = 3;

/** After the first failure, in milliseconds; twice as long after each further one, up to the longest. */
const PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

/** All that suggestions are made from. */
interface Context {
  readonly tuning: Tuning;
  readonly lines: readonly TrialLine[];
  readonly answers: Readonly<Record<string, Answer>>;
  /** As the status has it. */
  readonly before: FailedSuggestion | undefined;
  readonly now: number;
}

/** The trials that come next, by exactly the trials so far; asked for where they are not known yet. */
export function suggestionOf({ tuning, lines, answers, before, now }: Context, count: number): Suggestion {
  const input = {
    search: searchOf(tuning),
    trials: historyOf(tuning, lines).map(({ value, ...trial }) => ({
      ...trial,
      // As JSON has it.
      ...(value !== undefined && { value: Number.isNaN(value) ? null : value }),
    })),
    count,
  } satisfies SuggestionInput;
  const query = computationQuery('suggestTrials', input, before?.failures ?? 0);
  const answer = answers[query.id];
  if (answer?.type === 'computed') {
    const { assignments, exhausted } = answer.value as SuggestedTrials;
    return { assignments: assignments.map(asText), exhausted, queries: [query] };
  }
  if (answer?.type === 'uncomputed') {
    const failed = failedOnceMore(before, answer);
    return { ...pausing([query], failed), givenUp: failed.failures >= MOST_FAILURES };
  }
  if (before && now < (instant(before.nextAttemptAt) ?? 0)) return pausing([], before);
  return { ...NO_SUGGESTION, queries: [query], ...(before && { failed: before }) };
}

function failedOnceMore(
  before: FailedSuggestion | undefined,
  { at, message }: Answer & { readonly type: 'uncomputed' },
): FailedSuggestion {
  const failures = (before?.failures ?? 0) + 1;
  const pause = delayAfter(failures, { first: PAUSE_MS, longest: LONGEST_PAUSE_MS });
  return { failures, message, nextAttemptAt: timestamp(at + pause) };
}

function pausing(queries: readonly Query[], failed: FailedSuggestion): Suggestion {
  const requeueAt = instant(failed.nextAttemptAt);
  return { ...NO_SUGGESTION, queries, failed, ...(requeueAt !== undefined && { requeueAt }) };
}
