import type { Tuning } from '../../../../constructs/distributed-training/trial.ts';
import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import { outcomeIn } from '../attempt-state.ts';
import type { Outcome } from '../attempt-state.ts';
import type { Answer } from '../../../engine/api/index.ts';
import { NO_SUGGESTION, suggestionOf } from './suggestion.ts';
import type { Suggestion } from './suggestion.ts';
import { hasSucceeded, isOver } from './trials.ts';
import type { KnownTrial, TrialLine } from './trials.ts';

/** Where a search stands. */
export interface SearchState {
  readonly trials: readonly KnownTrial[];
  /** Absent as long as it continues. */
  readonly outcome?: Outcome;
  /** What is known of the trials that come next. */
  readonly suggestion: Suggestion;
  /** Whether it has ended, and it is not known yet whether it continues by a changed spec. */
  readonly waitForAnswers?: boolean;
}

/** What a search goes by. */
interface Last {
  readonly status: DistributedTrainingStatus;
  readonly answers: Readonly<Record<string, Answer>>;
  /** Whether the spec has changed since the status was written. */
  readonly isSpecChanged: boolean;
}

/** Where a search stands now: with the trials that are to be started, as far as they are known, or with its end. */
export function searchStateOf(
  { tuning, suspend }: { readonly tuning: Tuning; readonly suspend: boolean },
  { status, answers, isSpecChanged }: Last,
  known: readonly KnownTrial[],
  now: number,
): SearchState {
  const lines = linesOf(known);
  const failed = status.tuning?.suggestion;
  const idle = { ...NO_SUGGESTION, ...(failed && { failed }) };
  const ended = outcomeIn(status);
  const due = endOf(tuning, lines);
  // One that can choose no more trials a changed spec helps as little.
  const mayGoOn = ended !== undefined && isSpecChanged && !due && !suspend && ended.reason !== 'SuggestionFailed';
  const outcome = mayGoOn ? undefined : (ended ?? due);
  if (outcome) return { trials: known, outcome, suggestion: idle };
  const running = lines.filter((line) => !isOver(line)).length;
  const places = Math.min(tuning.parallelTrials - running, tuning.maxTrials - known.length);
  if (suspend) return { trials: known, suggestion: idle };
  if (places <= 0) return { trials: known, suggestion: NO_SUGGESTION };
  const suggestion = suggestionOf({ tuning, lines, answers, before: ended ? undefined : failed, now }, places);
  // One that has ended continues only where there is something to do: else it would say so for a moment, and end again.
  if (ended && running === 0 && suggestion.assignments.length === 0 && !suggestion.failed)
    return { trials: known, outcome: ended, suggestion, ...(!suggestion.exhausted && { waitForAnswers: true }) };
  const end = running === 0 ? endWithoutTrials(tuning, lines, suggestion) : undefined;
  return { trials: withNew(known, suggestion), suggestion, ...(end && { outcome: end }) };
}

/** The best trial so far; of equals the first. */
export function bestOf({ objective }: Tuning, lines: readonly TrialLine[]): TrialLine | undefined {
  const sign = objective.goal === 'maximize' ? -1 : 1;
  return lines.filter(hasSucceeded).toSorted((a, b) => sign * ((a.value ?? 0) - (b.value ?? 0)))[0];
}

/** A trial in words: `trial 7 with val_accuracy=0.93 (batchSize=64, learningRate=0.003)`. */
export function inWords({ objective }: Tuning, { number, value, assignments }: TrialLine): string {
  const values = Object.entries(assignments).map(([name, text]) => `${name}=${text}`);
  return `trial ${number} with ${objective.metric}=${value} (${values.join(', ')})`;
}

export const linesOf = (trials: readonly KnownTrial[]): readonly TrialLine[] => trials.map(({ line }) => line);

/** With those that are to be started. */
function withNew(known: readonly KnownTrial[], { assignments }: Suggestion): readonly KnownTrial[] {
  const last = known.at(-1)?.line.number ?? 0;
  const started = assignments.map((each, i) => ({
    line: { number: last + 1 + i, phase: 'Pending' as const, assignments: each },
  }));
  return [...known, ...started];
}

/** Why a search is over that has no trial that runs, and none to start. */
function endWithoutTrials(tuning: Tuning, lines: readonly TrialLine[], suggestion: Suggestion): Outcome | undefined {
  const { assignments, exhausted, failed, givenUp = false } = suggestion;
  if (exhausted && assignments.length === 0) return allTried(tuning, lines, 'All there is has been tried.');
  if (!failed || !givenUp) return undefined;
  const best = bestOf(tuning, lines);
  const bestSoFar = best ? ` The best of ${lines.length} trials is ${inWords(tuning, best)}.` : '';
  const message = `The next trial could not be chosen, ${failed.failures} times in a row: ${failed.message}.${bestSoFar} Make a new resource with algorithm random, or with fewer parameters.`;
  return { complete: false, reason: 'SuggestionFailed', message };
}

/** Why a search is over; undefined where it continues. */
function endOf(tuning: Tuning, lines: readonly TrialLine[]): Outcome | undefined {
  const { maxTrials, maxFailedTrials, objective } = tuning;
  const over = lines.filter(isOver);
  const failed = over.filter((line) => !hasSucceeded(line));
  const best = bestOf(tuning, lines);
  if (best && objective.target !== undefined && isAsGood(best.value, objective.target, objective.goal)) {
    return { complete: true, reason: 'TargetReached', message: `The target is reached by ${inWords(tuning, best)}.` };
  }
  if (failed.length > maxFailedTrials) {
    const last = failed.at(-1);
    const message = `${failed.length} trials failed, more than maxFailedTrials of ${maxFailedTrials}: raise it to continue. The last of them, trial ${last?.number}: ${last?.message ?? ''}`;
    return { complete: false, reason: 'TooManyFailedTrials', message };
  }
  if (over.length < maxTrials) return undefined;
  // Where maxTrials was lowered.
  const rest = lines.length - over.length;
  const stopped = `${over.length} trials have ended, and maxTrials is ${maxTrials}: what still ran is stopped.`;
  return allTried(tuning, lines, rest > 0 ? stopped : `All ${over.length} trials have ended.`);
}

function allTried(tuning: Tuning, lines: readonly TrialLine[], what: string): Outcome {
  const best = bestOf(tuning, lines);
  if (best) return { complete: true, reason: 'Completed', message: `${what} The best is ${inWords(tuning, best)}.` };
  const { number, message: why = '' } = lines.findLast(isOver) ?? {};
  const last = number === undefined ? '' : ` The last of them, trial ${number}: ${why}`;
  const message = `${what} None has a value: each must print ${tuning.objective.metric}=NUMBER.${last} Correct the program, and make a new resource, or raise maxTrials.`;
  return { complete: false, reason: 'NoTrialSucceeded', message };
}

const isAsGood = (value = Number.NaN, target: number, goal: Tuning['objective']['goal']): boolean =>
  goal === 'maximize' ? value >= target : value <= target;
