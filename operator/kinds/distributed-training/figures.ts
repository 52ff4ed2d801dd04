import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { Counter, Figures, Gauge } from '../../engine/api/index.ts';
import { REPLICA_GAUGES, sample } from '../shared/figures.ts';
import type { Phase } from './phase.ts';
import type { DistributedTrainingResource } from './observed.ts';

const PHASES: Readonly<Record<Phase, string>> = {
  Pending: 'Its pods are not all running yet.',
  Queued: 'It waits for its turn in a queue.',
  Running: 'Its pods run; of a search, trials do.',
  Restarting: 'An attempt is over, and the next one has not started yet.',
  Suspended: 'It was suspended, and has no pods.',
  Completed: 'It has succeeded.',
  Failed: 'It has ended, or can not start, and will not be tried again.',
};

type Attempt = NonNullable<DistributedTrainingStatus['attempts']>[number];

const TRIAL_STATES = ['running', 'succeeded', 'failed'] as const;

const GAUGES: readonly Gauge<DistributedTrainingStatus>[] = [
  {
    name: 'trunnion_training_attempt',
    help: 'The number of the present attempt, or of the one that comes next; the first is 1.',
    of: ({ attempt }) => sample(attempt),
  },
  {
    name: 'trunnion_training_failures',
    help: 'How much of retry.limit is used up.',
    of: ({ failures }) => sample(failures),
  },
  {
    name: 'trunnion_tuning_trials',
    help: 'Trials of a search, by how they stand.',
    labels: { state: TRIAL_STATES },
    of: ({ tuning }) => (tuning ? TRIAL_STATES.map((state) => ({ labels: { state }, value: tuning[state] })) : []),
  },
  {
    name: 'trunnion_tuning_best_value',
    help: 'The value of the best trial so far, in the unit of its metric.',
    of: ({ tuning }) => sample(tuning?.best?.value),
  },
];

/** Those that have ended since. Their numbers never go back, and the status keeps the last of them only. */
function endedSince(before: DistributedTrainingStatus, after: DistributedTrainingStatus): readonly Attempt[] {
  const last = before.attempts?.at(-1)?.number ?? 0;
  return (after.attempts ?? []).filter(({ number }) => number > last);
}

const COUNTERS: readonly Counter<DistributedTrainingStatus>[] = [
  {
    name: 'trunnion_training_attempts_total',
    help: 'Attempts that ended without success: charged where the program failed, not charged where something else ended them.',
    labels: { charged: ['true', 'false'] },
    of: (before, after) =>
      endedSince(before, after).map(({ charged }) => ({ value: 1, labels: { charged: String(charged > 0) } })),
  },
];

/** What a DistributedTraining has for metrics. */
export const FIGURES: Figures<DistributedTrainingResource> = {
  phases: PHASES,
  gauges: [...REPLICA_GAUGES, ...GAUGES],
  counters: COUNTERS,
};
