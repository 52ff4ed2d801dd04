/** More trials than a person has the patience for. */
export const MOST_TRIALS = 200;
