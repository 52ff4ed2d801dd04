import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import type { TrialState } from '../../../../constructs/distributed-training/state.ts';
import { conditionOf, timestamp } from '../../../engine/api/index.ts';
import type { BareCondition, Condition, ObservedChild } from '../../../engine/api/index.ts';
import { essentialFailures } from '../../shared/trouble.ts';
import { falseCondition, trueCondition } from '../../shared/conditions.ts';
import type { Why } from '../../shared/conditions.ts';
import { endConditions, suspendedCondition } from '../conditions.ts';
import { expiry } from '../steps/expire.ts';
import type { SearchContext, SearchStep } from './context.ts';
import { bestOf, inWords, linesOf } from './search-state.ts';
import type { SearchState } from './search-state.ts';
import type { FailedSuggestion } from './suggestion.ts';
import { hasSucceeded, isOver } from './trials.ts';

/** Asks for the next trials, as long as there is a place for one. */
export const chooseTrials: SearchStep = ({ searchState: { suggestion, waitForAnswers = false }, now }) => {
  const { queries, requeueAt = -Infinity } = suggestion;
  return { queries, waitForAnswers, ...(requeueAt > now && { requeueAt }) };
};

const NEVER_RESTARTING = falseCondition('Restarting', {
  reason: 'NotRestarting',
  message: 'Trials restart by themselves.',
});

/** Starts trials, and reports them. */
export const runTrials: SearchStep = (context) => ({
  state: { trials: trialStatesOf(context) },
  status: trialsStatus(context),
  conditions: [runningCondition(context), NEVER_RESTARTING],
});

/** Reports whether it is suspended: trials are stopped, or start again. */
export const suspend: SearchStep = ({ spec, status, searchState: { outcome, trials } }) => ({
  conditions: [
    suspendedCondition({
      wanted: spec.suspend && !outcome,
      isDone: trials.every(({ line, child }) => isOver(line) || !child || line.phase === 'Suspended'),
      before: status.conditions,
    }),
  ],
});

/** Ends the search, as search-state.ts says. */
export const finish: SearchStep = ({ status, searchState: { outcome }, now }) => ({
  ...(outcome && { status: { completionTime: status.completionTime ?? timestamp(now) } }),
  conditions: endConditions(outcome),
});

/** Deletes the search some time after its end; that end is in its status before. */
export const expire: SearchStep = ({ spec, status, searchState: { outcome }, now }) =>
  outcome ? expiry(spec, status.completionTime, now) : {};

/** A trial that has ended and whose training somebody deleted is not created again: it would run again. */
function trialStatesOf({ spec, searchState: { trials, outcome } }: SearchContext): readonly TrialState[] {
  return trials.flatMap(({ line, child }): TrialState[] => {
    const { number, assignments } = line;
    if (isOver(line)) return child ? [{ number, assignments, lifecycle: 'over' }] : [];
    if (outcome && !child) return [];
    return [{ number, assignments, lifecycle: outcome || spec.suspend ? 'stopped' : 'running' }];
  });
}

function trialsStatus({
  spec,
  status,
  searchState,
}: SearchContext): Pick<DistributedTrainingStatus, 'startTime' | 'tuning'> {
  const lines = linesOf(searchState.trials);
  const best = bestOf(spec.tuning, lines);
  const over = lines.filter(isOver);
  const succeeded = over.filter(hasSucceeded).length;
  const startTime = status.startTime ?? lines.flatMap((line) => line.startTime ?? []).toSorted()[0];
  return {
    ...(startTime !== undefined && { startTime }),
    tuning: {
      ...(best?.value !== undefined && {
        best: { trial: best.number, value: best.value, assignments: best.assignments },
      }),
      running: lines.length - over.length,
      succeeded,
      failed: over.length - succeeded,
      ...(searchState.suggestion.failed && { suggestion: searchState.suggestion.failed }),
      trials: lines,
    },
  };
}

function runningCondition({ snapshot, spec, searchState }: SearchContext): BareCondition {
  const { outcome, trials, suggestion } = searchState;
  if (outcome) return notRunning(outcome);
  if (spec.suspend) return notRunning({ reason: 'Suspended', message: 'It is suspended.' });
  const unfinished = trials.filter(({ line }) => !isOver(line));
  const running = unfinished.filter(({ line }) => line.phase === 'Running').length;
  const best = bestOf(spec.tuning, linesOf(trials));
  const bestSoFar = best ? ` The best so far is ${inWords(spec.tuning, best)}.` : '';
  const runs = `${running} of ${unfinished.length} started trials run.${bestSoFar}`;
  if (suggestion.failed) {
    const failed = suggestionFailed(suggestion.failed);
    return running > 0
      ? trueCondition('Running', { reason: 'SuggestionFailed', message: `${runs} ${failed}` })
      : notRunning({ reason: 'SuggestionFailed', message: `${failed}${bestSoFar}` });
  }
  if (running > 0) return trueCondition('Running', { reason: 'Running', message: runs });
  const [failure] = essentialFailures(snapshot, new Set(trials.map(({ line }) => `trial-${line.number}`)));
  if (failure) return notRunning(failure);
  const [waiting] = waitingTrials(unfinished);
  if (!waiting) return notRunning({ reason: 'Starting', message: 'No trial runs yet.' });
  const { number, condition } = waiting;
  const message = `Trial ${number} does not run: ${condition.message}${bestSoFar}`;
  return notRunning({ reason: condition.reason, message });
}

const notRunning = (why: Why): BareCondition => falseCondition('Running', why);

/** Trials that report why they don't run, with that condition. */
const waitingTrials = (trials: SearchState['trials']) =>
  trials.flatMap(({ line, child }) => {
    const condition = child && conditionOf(conditionsOf(child), 'Running');
    return condition ? [{ number: line.number, condition }] : [];
  });

const suggestionFailed = ({ failures, message, nextAttemptAt }: FailedSuggestion): string =>
  `The next trial could not be chosen (${failures} times in a row): ${message}. It is tried again at ${nextAttemptAt}. If this continues, make a new resource with algorithm random, or with fewer parameters.`;

const conditionsOf = ({ slice }: ObservedChild): readonly Condition[] | undefined =>
  (slice['status'] as { readonly conditions?: readonly Condition[] } | undefined)?.conditions;
