import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import type { Query } from '../../engine/api/index.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import { carriedOver } from '../shared/carried-over.ts';
import type { Observed } from './observed.ts';

/** Where the weights of `spec` are. */
export interface Weights {
  readonly ready: boolean;
  /** The reason and message of WeightsReady. */
  readonly reason: string;
  readonly message: string;
  /** What keeps them from coming, where something does; where they are ready, what keeps {@link awaited} from it. */
  readonly diagnosis?: Diagnosis;
  /**
   * How it stands with the fetch that servers of a changed template wait for, though the weights are there already: they
   * wait for the Job of their own template.
   */
  readonly awaited?: Pick<Weights, 'reason' | 'message'>;
  readonly progress: NonNullable<ModelServingStatus['weights']>;
  readonly queries: readonly Query[];
  /** Whether the failed Job is to be created again. */
  readonly retry: boolean;
  readonly requeueAt?: number;
}

/** Where the weights are, by one way of looking. */
export type WeightsState = Omit<Weights, 'progress' | 'queries' | 'retry' | 'awaited'> & { readonly retry?: boolean };

/** What a condition said of the fetch before, and must not be taken back yet: Progressing, where the weights are there. */
export const diagnosedBefore = ({ snapshot }: Observed, queries: readonly Query[]): Diagnosis | undefined =>
  carriedOver(snapshot, 'WeightsReady', queries) ?? carriedOver(snapshot, 'Progressing', queries);

/** The servers can have them. */
export const there = (reason: string, message: string): WeightsState => ({ ready: true, reason, message });

/** Nothing is wrong, and they aren't there yet. */
export const waiting = (reason: string, message: string): WeightsState => ({ ready: false, reason, message });

/** Something keeps them from coming. */
export const stuck = (diagnosis: Diagnosis): WeightsState => ({
  ready: false,
  reason: diagnosis.reason,
  message: diagnosis.message,
  diagnosis,
});

/** They lie complete on their volume. */
export const fetched = ({ spec }: Observed): WeightsState =>
  there('Fetched', `${spec.model.uri} is complete on its volume.`);
