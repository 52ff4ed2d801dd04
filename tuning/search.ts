import type { Parameter } from './axis.ts';
import type { Assignments } from './space.ts';

/** What is searched, and how. */
export interface Search {
  readonly algorithm: 'bayesian' | 'random' | 'grid';
  readonly goal: 'maximize' | 'minimize';
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Another seed gives another search. */
  readonly seed: number;
  /** How many trials there are to be: a grid of more points is spread over them. */
  readonly maxTrials: number;
}

/** A trial so far. */
export interface Trial {
  readonly assignments: Assignments;
  /** What came of it; NaN where it failed; absent as long as it runs. */
  readonly value?: number;
}
