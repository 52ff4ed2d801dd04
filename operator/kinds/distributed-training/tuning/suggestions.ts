/** What a search asks the computations' thread for: the optimiser, and all that it loads, is here alone. */
import type { Assignments } from '../../../../tuning/index.ts';
import { suggest } from '../../../../tuning/index.ts';
import type { Search, Trial } from '../../../../tuning/index.ts';

/** All that the next trials depend on. */
export interface SuggestionInput {
  readonly search: Search;
  /** The trials so far; the value of one that failed is null. */
  readonly trials: readonly (Pick<Trial, 'assignments'> & { readonly value?: number | null })[];
  /** For how many trials there is a place. */
  readonly count: number;
}

/** What is to be tried next. */
export interface SuggestedTrials {
  /** As many as there are places for, or the first of them. */
  readonly assignments: readonly Assignments[];
  /** Whether there is nothing after them that has not been tried. */
  readonly exhausted: boolean;
}

/**
 * The next trials of a search, each of which knows of those before it. To learn from the values of trials is
 * expensive, so it is done for one trial at a time: the others are asked for once it has started.
 */
export function suggestTrials({ search, trials, count }: SuggestionInput): SuggestedTrials {
  const isExpensive = search.algorithm === 'bayesian' && trials.some(({ value }) => value !== undefined);
  const history: Trial[] = trials.map(({ assignments, value }) => ({
    assignments,
    ...(value !== undefined && { value: value ?? Number.NaN }),
  }));
  const assignments: Assignments[] = [];
  while (assignments.length < (isExpensive ? Math.min(1, count) : count)) {
    const next = suggest(search, history);
    if (next === undefined) return { assignments, exhausted: true };
    assignments.push(next);
    history.push({ assignments: next });
  }
  return { assignments, exhausted: false };
}
