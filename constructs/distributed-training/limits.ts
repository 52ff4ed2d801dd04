/** More trials than a person has the patience for. */
export const MOST_TRIALS = 200;

/** More attempts than there can be: with pauses of ten seconds and more they would take eleven days. */
const ATTEMPT_DIGITS = 5;
const RANK_DIGITS = 3;

/**
 * The longest name: NAME-scheduler-ATTEMPT-RANK is the name of a host, which has at most 63 characters, as has the name
 * of the Job in a label of its pods.
 */
export const MAX_NAME_LENGTH = 63 - '-scheduler'.length - (1 + ATTEMPT_DIGITS) - (1 + RANK_DIGITS);

/** The longest name of a search: its trials are trainings, NAME-NUMBER. */
export const MAX_SEARCH_NAME_LENGTH = MAX_NAME_LENGTH - 1 - String(MOST_TRIALS).length;
