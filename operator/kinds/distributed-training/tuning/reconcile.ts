import type { DistributedTrainingState, TrialState } from '../../../../constructs/distributed-training/state.ts';
import type { DistributedTrainingSpec } from '../../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import type { Tuning } from '../../../../constructs/distributed-training/trial.ts';
import { instant } from '../../../engine/api/index.ts';
import type { Result, Snapshot } from '../../../engine/api/index.ts';
import { completed } from '../observed.ts';
import type { DistributedTrainingResource } from '../observed.ts';
import { searchStateOf } from './search-state.ts';
import type { SearchState } from './search-state.ts';
import { searchStatus } from './status.ts';
import { isOver, trialsOf } from './trials.ts';

/** Whether a resource is a search, whose children are trainings. */
export const isSearch = ({ resource }: Snapshot<DistributedTrainingResource>): boolean =>
  resource.spec.tuning !== undefined;

/** What to do now with a search: it does nothing but start trials, and stop them. */
export function reconcileSearch(
  snapshot: Snapshot<DistributedTrainingResource>,
  now: number,
): Result<DistributedTrainingState, DistributedTrainingStatus> {
  const { resource } = snapshot;
  const spec = completed(resource.spec) as DistributedTrainingSpec & { readonly tuning: Tuning };
  const { status: before = {}, metadata } = resource;
  const isChanged = before.observedGeneration !== metadata.generation;
  const told = { status: before, answers: snapshot.answers, isChanged };
  const searchState = searchStateOf(spec, told, trialsOf(snapshot), now);
  const { queries, requeueAt = Infinity } = searchState.suggestion;
  const expiresAt = searchState.outcome && expiryOf(spec, before.completionTime);
  const next = Math.min(requeueAt, expiresAt ?? Infinity);
  return {
    state: { trials: trialStatesOf(searchState, spec.suspend) },
    ...searchStatus({ snapshot, spec, searchState }, now),
    queries,
    ...(searchState.waitForAnswers === true && { waitForAnswers: true }),
    ...(expiresAt !== undefined && now >= expiresAt && { expire: true }),
    ...(next > now && next < Infinity && { requeueAt: next }),
  };
}

/** A trial that has ended and whose training somebody deleted is not created again: it would run again. */
function trialStatesOf({ trials, outcome }: SearchState, suspend: boolean): readonly TrialState[] {
  return trials.flatMap(({ line, child }): TrialState[] => {
    const { number, assignments } = line;
    if (isOver(line)) return child ? [{ number, assignments, lifecycle: 'over' }] : [];
    if (outcome && !child) return [];
    return [{ number, assignments, lifecycle: outcome || suspend ? 'stopped' : 'running' }];
  });
}

function expiryOf({ ttlSecondsAfterFinished }: DistributedTrainingSpec, completionTime: string | undefined) {
  const over = instant(completionTime);
  return over === undefined || ttlSecondsAfterFinished === undefined
    ? undefined
    : over + ttlSecondsAfterFinished * 1000;
}
