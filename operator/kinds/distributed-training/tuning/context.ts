import type { DistributedTrainingSpec } from '../../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import type { DistributedTrainingState } from '../../../../constructs/distributed-training/state.ts';
import type { Tuning } from '../../../../constructs/distributed-training/trial.ts';
import type { Snapshot, LifecycleStep } from '../../../engine/api/index.ts';
import { withSpecDefaults } from '../observed.ts';
import type { DistributedTrainingResource } from '../observed.ts';
import { searchStateOf } from './search-state.ts';
import type { SearchState } from './search-state.ts';
import { trialsOf } from './trials.ts';

/** All that the steps look at. */
export interface SearchContext {
  readonly snapshot: Snapshot<DistributedTrainingResource>;
  readonly spec: SearchSpec;
  /** The last status. */
  readonly status: DistributedTrainingStatus;
  readonly searchState: SearchState;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

type SearchSpec = DistributedTrainingSpec & { readonly tuning: Tuning };

/** A step in the life of a search. */
export type SearchStep = LifecycleStep<SearchContext, DistributedTrainingState, DistributedTrainingStatus>;

export function searchContextOf(snapshot: Snapshot<DistributedTrainingResource>, now: number): SearchContext {
  const { metadata, status = {}, spec: given } = snapshot.resource;
  const spec = withSpecDefaults(given) as SearchSpec;
  const isSpecChanged = status.observedGeneration !== metadata.generation;
  const last = { status, answers: snapshot.answers, isSpecChanged };
  return { snapshot, spec, status, searchState: searchStateOf(spec, last, trialsOf(snapshot), now), now };
}
