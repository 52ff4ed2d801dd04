import type { Tuning } from '../../../../constructs/distributed-training/trial.ts';
import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/spec.ts';
import { outcomeIn } from '../course.ts';
import type { Outcome } from '../course.ts';
import { suggest } from './optimiser/suggest.ts';
import { asText, historyOf, searchOf } from './search.ts';
import { hasSucceeded, isOver } from './trials.ts';
import type { KnownTrial, TrialLine } from './trials.ts';

/** Where a search stands. */
export interface SearchCourse {
  readonly trials: readonly KnownTrial[];
  /** Absent as long as it goes on. */
  readonly outcome?: Outcome;
}

/** Where a search stands now: with the trials that are to be started, or with its end. */
export function searchCourse(
  { tuning, suspend }: { readonly tuning: Tuning; readonly suspend: boolean },
  status: DistributedTrainingStatus,
  known: readonly KnownTrial[],
): SearchCourse {
  const outcome = outcomeIn(status) ?? endOf(tuning, linesOf(known));
  if (outcome) return { trials: known, outcome };
  if (suspend) return { trials: known };
  const trials = withNew(tuning, known);
  const isExhausted = linesOf(trials).every(isOver);
  return { trials, ...(isExhausted && { outcome: afterAll(tuning, linesOf(trials), 'All there is has been tried.') }) };
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

/** As many new trials as there are places for. Each knows of those before it. */
function withNew(tuning: Tuning, known: readonly KnownTrial[]): readonly KnownTrial[] {
  const { parallelTrials, maxTrials } = tuning;
  const running = known.filter(({ line }) => !isOver(line)).length;
  const count = Math.min(parallelTrials - running, maxTrials - known.length);
  const search = searchOf(tuning);
  const trials = [...known];
  for (let started = 0; started < count; started++) {
    const assignments = suggest(search, historyOf(tuning, linesOf(trials)));
    if (assignments === undefined) break;
    const number = (trials.at(-1)?.line.number ?? 0) + 1;
    trials.push({ line: { number, phase: 'Pending', assignments: asText(assignments) } });
  }
  return trials;
}

/** Why a search is over; undefined where it goes on. */
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
    const message = `${failed.length} trials failed, more than maxFailedTrials of ${maxFailedTrials}. The last of them, trial ${last?.number}: ${last?.message ?? ''}`;
    return { complete: false, reason: 'TooManyFailedTrials', message };
  }
  return over.length >= maxTrials ? afterAll(tuning, lines, `All ${over.length} trials have ended.`) : undefined;
}

function afterAll(tuning: Tuning, lines: readonly TrialLine[], what: string): Outcome {
  const best = bestOf(tuning, lines);
  if (best) return { complete: true, reason: 'Completed', message: `${what} The best is ${inWords(tuning, best)}.` };
  const { number, message: why = '' } = lines.findLast(isOver) ?? {};
  const last = number === undefined ? '' : ` The last of them, trial ${number}: ${why}`;
  const message = `${what} None has a value: each must print ${tuning.objective.metric}=NUMBER.${last} Correct the program, and make a new resource.`;
  return { complete: false, reason: 'NoTrialSucceeded', message };
}

const isAsGood = (value = Number.NaN, target: number, goal: Tuning['objective']['goal']): boolean =>
  goal === 'maximize' ? value >= target : value <= target;
