import { goesOn } from '../context.ts';
import type { TrainingStep } from '../context.ts';
import { areMissingJobsThere, missingJobQueries } from '../missing-jobs.ts';
import { isOverlapKnown, overlapQueries } from '../other-attempts.ts';

/** How soon to look again at what contradicts itself. */
const RECHECK_MS = 1_000;

/**
 * Asks the API server whether Jobs are there where watches contradict each other. An attempt that continues depends on them,
 * so nothing is done until that is known.
 */
export const confirmJobs: TrainingStep = (context) => {
  const { observed, stage, now } = context;
  if (stage === 'Over') return {};
  const isKnown = areMissingJobsThere(observed, now) && isOverlapKnown(observed);
  return {
    queries: [...missingJobQueries(observed), ...overlapQueries(observed)],
    ...(goesOn(context) && !isKnown && { waitForAnswers: true, requeueAt: now + RECHECK_MS }),
  };
};
