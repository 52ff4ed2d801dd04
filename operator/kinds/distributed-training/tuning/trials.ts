import { trialNameOf } from '../../../../constructs/distributed-training/names.ts';
import { ASSIGNMENTS, TRIAL } from '../../../../constructs/distributed-training/parts.ts';
import { MOST_TRIALS } from '../../../../constructs/distributed-training/limits.ts';
import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import { plainText } from '../../../../constructs/parts/values/index.ts';
import { conditionOf } from '../../../engine/api/index.ts';
import type { Condition, Snapshot, ObservedChild } from '../../../engine/api/index.ts';
import { fittedEnd } from '../../shared/last-words.ts';
import { annotationOf } from '../observed.ts';
import type { DistributedTrainingResource } from '../observed.ts';

/** What the status says of a trial. */
export type TrialLine = NonNullable<DistributedTrainingStatus['tuning']>['trials'][number];

/** A trial, and the training that it is, where that is there. */
export interface KnownTrial {
  readonly line: TrialLine;
  readonly child?: ObservedChild;
}

/** As a status may have them. */
const MOST_PARAMETERS = 16;
const LONGEST_VALUE = 128;
const LONGEST_MESSAGE = 256;

/** The status of a trial, as far as the cache keeps it. */
type TrialStatus = Pick<
  DistributedTrainingStatus,
  'phase' | 'startTime' | 'completionTime' | 'objective' | 'conditions'
>;

/** Whether a trial has ended, one way or the other. */
export const isOver = ({ phase }: TrialLine): boolean => phase === 'Completed' || phase === 'Failed';

/** Whether something came of a trial. */
export const hasSucceeded = ({ value }: TrialLine): boolean => value !== undefined;

/**
 * All trials so far, by their numbers: those of the status, and those that were made and are not in it yet.
 * What has ended stays as the status has it, whatever happens to its training.
 */
export function trialsOf({ resource, children }: Snapshot<DistributedTrainingResource>): readonly KnownTrial[] {
  const recorded = new Map(resource.status?.tuning?.trials.map((line) => [line.number, line]));
  const made = new Map(children.flatMap((child) => numberOf(resource, child)));
  const numbers = [...new Set([...recorded.keys(), ...made.keys()])].toSorted((a, b) => a - b);
  return numbers.map((number) => {
    const child = made.get(number);
    const before = recorded.get(number) ?? { number, phase: 'Pending', assignments: assignmentsOf(child) };
    return { line: seen(before, child), ...(child && { child }) };
  });
}

function numberOf(
  { metadata }: DistributedTrainingResource,
  child: ObservedChild,
): readonly (readonly [number, ObservedChild])[] {
  const number = Number(annotationOf(child, TRIAL) ?? Number.NaN);
  const isNumber = Number.isInteger(number) && number >= 1 && number <= MOST_TRIALS;
  const isTrial = isNumber && child.kind === 'DistributedTraining' && child.name === trialNameOf(metadata.name, number);
  return isTrial && !child.deleting ? [[number, child]] : [];
}

/** What does not have a text for each parameter was written by somebody else, and is ignored. */
function assignmentsOf(child: ObservedChild | undefined): TrialLine['assignments'] {
  const written = parsed((child && annotationOf(child, ASSIGNMENTS)) ?? '{}');
  const entries = typeof written === 'object' && written !== null ? Object.entries(written) : [];
  const values = entries.flatMap(([name, value]) => (isValue(value) ? [[name, value] as const] : []));
  return values.length === entries.length && values.length <= MOST_PARAMETERS ? Object.fromEntries(values) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isValue = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST_VALUE;

/** A line by what there is to be seen. */
function seen(before: TrialLine, child: ObservedChild | undefined): TrialLine {
  if (isOver(before)) return before;
  const status = (child?.slice['status'] ?? {}) as TrialStatus;
  const { phase = 'Pending', startTime, completionTime } = status;
  return {
    number: before.number,
    phase,
    ...resultOf(status),
    ...(startTime !== undefined && { startTime }),
    ...(completionTime !== undefined && { completionTime }),
    assignments: before.assignments,
  };
}

const NO_OBJECTIVE = 'It succeeded, and neither its last words nor its log tell a number.';

/** The value of a trial that has ended, or why there is none. */
function resultOf({
  phase,
  objective,
  conditions,
}: TrialStatus): Pick<TrialLine, 'value' | 'line' | 'reason' | 'message'> {
  if (phase === 'Completed') {
    if (objective) {
      const { value, line } = objective;
      return { value, ...(line !== undefined && { line: plainText(line, { max: 256 }) }) };
    }
    const { message = NO_OBJECTIVE } = conditionOf(conditions, 'Complete') ?? {};
    return { reason: 'NoObjective', message: fittedEnd(message, LONGEST_MESSAGE) };
  }
  if (phase !== 'Failed') return {};
  const { reason = 'Failed', message = '' } = failureIn(conditions) ?? {};
  return { reason, message: fittedEnd(message, LONGEST_MESSAGE) };
}

const failureIn = (conditions: readonly Condition[] | undefined): Condition | undefined => {
  const failed = conditionOf(conditions, 'Failed');
  return failed?.status === 'True' ? failed : conditionOf(conditions, 'Accepted');
};
