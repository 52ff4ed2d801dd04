/**
 * How many removals of ranks one attempt of an elastic training outlives. That a rank is removed is no failure of the program:
 * however few of those are allowed, the others continue. It does not follow retry.limit, whose change is to restart nothing.
 */
export const MOST_REMOVALS = 3;
