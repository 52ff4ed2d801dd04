import { ATTEMPT } from '../../../constructs/distributed-training/parts.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { conditionOf, type ObservedPod, timestamp } from '../../../operator/engine/api/index.ts';
import { smallest } from '../../../constructs/parts/values/index.ts';
import { wholeStatus } from '../../status/whole-status.ts';
import type { Attempt } from '../api.ts';

/** What is read of a training. */
export interface Training {
  readonly spec: unknown;
  readonly status?: object;
}

type Status = Partial<DistributedTrainingStatus>;
type Record = NonNullable<Status['attempts']>[number];
type Trial = NonNullable<Status['tuning']>['trials'][number];

/**
 * The attempts of a training, or the trials of a search, the first one first. What has not started is none.
 *
 * @param pods - those of the training, as far as they may be seen
 */
export function attemptsOf({ spec, status }: Training, pods: readonly ObservedPod[]): readonly Attempt[] {
  const all = wholeStatus<DistributedTrainingStatus>(status);
  if (all.tuning !== undefined) return all.tuning.trials.flatMap((trial) => trialOf(trial, metricOf(spec)));
  return [...(all.attempts ?? []).map(endedAttempt), ...presentAttempt(all, pods)];
}

/** The times of an attempt that had no pod are those of its end. */
const endedAttempt = (record: Record): Attempt => ({
  label: `attempt ${record.number}`,
  startedAt: record.startedAt ?? record.finishedAt,
  endedAt: record.finishedAt,
  state: record.charged > 0 ? 'failed' : 'interrupted',
  message: record.message ?? record.reason,
});

/** The attempt that runs, or that was the last one, and is not among those that have ended. */
function presentAttempt(status: Status, pods: readonly ObservedPod[]): readonly Attempt[] {
  const { attempt: number, attempts = [], completionTime, conditions } = status;
  if (number === undefined || attempts.some((each) => each.number === number)) return [];
  const startedAt = startOf(number, status, pods);
  if (startedAt === undefined) return [];
  const label = `attempt ${number}`;
  if (completionTime === undefined) return [{ label, startedAt, state: 'running' }];
  const complete = conditionOf(conditions, 'Complete');
  const isComplete = complete?.status === 'True';
  const { message = '' } = (isComplete ? complete : conditionOf(conditions, 'Failed')) ?? {};
  return [
    {
      label,
      startedAt,
      endedAt: completionTime,
      state: isComplete ? 'succeeded' : 'failed',
      ...(message !== '' && { message }),
    },
  ];
}

/** By its first pod, as the operator has it; where that is gone or may not be seen, by what the status still tells. */
function startOf(
  number: number,
  { attempts = [], startTime, completionTime, conditions }: Status,
  pods: readonly ObservedPod[],
): string | undefined {
  const own = pods.filter(({ labels }) => labels[ATTEMPT] === String(number));
  if (own.length > 0) return timestamp(smallest(own.map(({ createdAt }) => createdAt)));
  const running = conditionOf(conditions, 'Running');
  if (running?.status === 'True') return running.lastTransitionTime;
  if (completionTime === undefined) return undefined;
  return attempts.at(-1)?.finishedAt ?? startTime ?? completionTime;
}

function trialOf(
  { number, phase, value, reason, message = '', startTime, completionTime }: Trial,
  metric: string,
): readonly Attempt[] {
  if (startTime === undefined) return [];
  const result = value === undefined ? [reason, message].filter(Boolean).join(': ') : `${metric}=${value}`;
  const hasEnded = completionTime !== undefined;
  const isFailed = phase === 'Failed' || value === undefined;
  return [
    {
      label: `trial ${number}`,
      startedAt: startTime,
      ...(hasEnded && { endedAt: completionTime }),
      state: hasEnded ? (isFailed ? 'failed' : 'succeeded') : 'running',
      ...(result !== '' && { message: result }),
    },
  ];
}

/** The metric of a search; the spec of an earlier operator's kind names it elsewhere. */
function metricOf(spec: unknown): string {
  const { tuning } = (spec ?? {}) as { readonly tuning?: { readonly objective?: { readonly metric?: string } } };
  return tuning?.objective?.metric ?? 'value';
}
