import type { DistributedTrainingSpec } from '../../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import type { Tuning } from '../../../../constructs/distributed-training/trial.ts';
import { conditionOf, timestamp } from '../../../engine/api/index.ts';
import type { BareCondition, BareStatus, Condition, Snapshot, ObservedChild } from '../../../engine/api/index.ts';
import { essentialFailures } from '../../shared/trouble.ts';
import { endedOf, holds, lacks, suspensionOf } from '../conditions.ts';
import type { Saying } from '../conditions.ts';
import { phaseOf } from '../phase.ts';
import type { DistributedTrainingResource } from '../observed.ts';
import { bestOf, inWords, linesOf } from './search-state.ts';
import type { SearchState } from './search-state.ts';
import type { FailedSuggestion } from './suggestion.ts';
import { hasSucceeded, isOver } from './trials.ts';

/** All that the status of a search is made from. */
export interface SearchSituation {
  readonly snapshot: Snapshot<DistributedTrainingResource>;
  readonly spec: DistributedTrainingSpec & { readonly tuning: Tuning };
  readonly searchState: SearchState;
}

/** The status of a search. */
export function searchStatus(context: SearchSituation, now: number): BareStatus<DistributedTrainingStatus> {
  const { snapshot, spec, searchState } = context;
  const { startTime, completionTime } = snapshot.resource.status ?? {};
  const lines = linesOf(searchState.trials);
  const best = bestOf(spec.tuning, lines);
  const over = lines.filter(isOver);
  const succeeded = over.filter(hasSucceeded).length;
  const started = startTime ?? lines.flatMap((line) => line.startTime ?? []).toSorted()[0];
  const ended = searchState.outcome && (completionTime ?? timestamp(now));
  const conditions = verdictsOf(context);
  const status = {
    phase: phaseOf(conditions),
    ...(started !== undefined && { startTime: started }),
    ...(ended !== undefined && { completionTime: ended }),
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
  return { status, conditions };
}

function verdictsOf(context: SearchSituation): readonly BareCondition[] {
  const { spec, searchState, snapshot } = context;
  const { outcome, trials } = searchState;
  const isStill = trials.every(({ line, child }) => isOver(line) || !child || line.phase === 'Suspended');
  const before = snapshot.resource.status?.conditions;
  return [
    { type: 'Accepted', ...holds('Accepted', 'The spec is valid.') },
    { type: 'Running', ...runningOf(context) },
    { type: 'Restarting', ...lacks('NotRestarting', 'Trials restart by themselves.') },
    { type: 'Suspended', ...suspensionOf({ wanted: spec.suspend && !outcome, isStill, before }) },
    { type: 'Complete', ...endedOf(outcome, true) },
    { type: 'Failed', ...endedOf(outcome, false) },
  ];
}

function runningOf({ snapshot, spec, searchState: { outcome, trials, suggestion } }: SearchSituation): Saying {
  if (outcome) return lacks(outcome.reason, outcome.message);
  if (spec.suspend) return lacks('Suspended', 'It is suspended.');
  const going = trials.filter(({ line }) => !isOver(line));
  const running = going.filter(({ line }) => line.phase === 'Running').length;
  const best = bestOf(spec.tuning, linesOf(trials));
  const soFar = best ? ` The best so far is ${inWords(spec.tuning, best)}.` : '';
  const runs = `${running} of ${going.length} started trials run.${soFar}`;
  if (suggestion.failed) {
    const says = unchosen(suggestion.failed);
    return running > 0 ? holds('SuggestionFailed', `${runs} ${says}`) : lacks('SuggestionFailed', `${says}${soFar}`);
  }
  if (running > 0) return holds('Running', runs);
  const [failure] = essentialFailures(snapshot, new Set(trials.map(({ line }) => `trial-${line.number}`)));
  if (failure) return lacks(failure.reason, failure.message);
  const [waiting] = going.flatMap(({ line, child }) => {
    const says = child && conditionOf(conditionsOf(child), 'Running');
    return says ? [{ number: line.number, says }] : [];
  });
  if (!waiting) return lacks('Starting', 'No trial runs yet.');
  return lacks(waiting.says.reason, `Trial ${waiting.number} does not run: ${waiting.says.message}${soFar}`);
}

const unchosen = ({ failures, message, nextAttemptAt }: FailedSuggestion): string =>
  `The next trial could not be chosen (${failures} times in a row): ${message}. It is tried again at ${nextAttemptAt}. If this continues, make a new resource with algorithm random, or with fewer parameters.`;

const conditionsOf = ({ slice }: ObservedChild): readonly Condition[] | undefined =>
  (slice['status'] as { readonly conditions?: readonly Condition[] } | undefined)?.conditions;
