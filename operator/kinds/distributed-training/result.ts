import type { DistributedTrainingSpec } from '../../../constructs/distributed-training/spec.ts';
import type { LogReport } from '../../engine/api/index.ts';

type Objective = Pick<NonNullable<DistributedTrainingSpec['objective']>, 'metric' | 'goal' | 'take'>;

/** What counts of all that a program has reported. */
export interface Result {
  readonly value?: number;
  /** The line that the value was read from. */
  readonly line?: string;
  /** Why there is no value, and what to do, in sentences. */
  readonly lack?: string;
}

/** Whether a report has anything that looks like a value of the metric. */
export const hasReading = ({ last }: LogReport): boolean => last !== undefined;

/** The value that counts: the last one or the best. An unclear value is reported as such, and no other value is used instead. */
export function resultOf(report: LogReport, objective: Objective): Result {
  const { metric, goal, take } = objective;
  const { last, unclear, lowest, highest, incomplete } = report;
  if (incomplete !== undefined) {
    return { lack: `No ${metric} was read: ${incomplete}. Write it to /dev/termination-log: ${plainly(metric)}.` };
  }
  const doubt = take === 'best' ? unclear : last !== undefined && 'unclear' in last ? last : undefined;
  if (doubt !== undefined) {
    const { unclear: got, line } = doubt;
    return {
      lack: `No ${metric} was read, since "${got}" is no plain number, in the line "${line}". Print it with digits, at most one point and perhaps an exponent, and nothing else before the next space or comma: ${plainly(metric)}.`,
    };
  }
  const best = goal === 'maximize' ? highest : lowest;
  const reading = take === 'best' ? best : last !== undefined && 'value' in last ? last : undefined;
  if (reading !== undefined && !Number.isNaN(reading.value)) return reading;
  return { lack: lackOf(report, metric) };
}

function lackOf({ last, mentioned }: LogReport, metric: string): string {
  if (last !== undefined) return `${metric} is no number in the line "${last.line}". Let the program end with one.`;
  const seen = mentioned === undefined ? '' : `, and no number behind its name in the line "${mentioned}"`;
  return `Nothing told ${metric}${seen}. Print it on a line of its own, or write it to /dev/termination-log: ${plainly(metric)}.`;
}

const plainly = (metric: string): string => `${metric}=0.93`;
