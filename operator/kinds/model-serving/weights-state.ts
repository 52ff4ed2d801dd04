import type { ModelServingStatus } from '../../../constructs/model-serving/spec.ts';
import type { Ask } from '../../engine/asks.ts';
import type { Finding } from '../shared/finding.ts';
import type { View } from './view.ts';

/** Where the weights of `spec` are. */
export interface Weights {
  readonly ready: boolean;
  /** The reason and message of WeightsReady. */
  readonly reason: string;
  readonly message: string;
  /** What keeps them from coming, where something does. */
  readonly finding?: Finding;
  readonly progress: NonNullable<ModelServingStatus['weights']>;
  readonly asks: readonly Ask[];
  /** Whether the failed Job is to be made anew. */
  readonly retry: boolean;
  readonly wakeAt?: number;
}

/** Where the weights are, by one way of looking. */
export type WeightsState = Omit<Weights, 'progress' | 'asks' | 'retry'> & { readonly retry?: boolean };

/** The servers can have them. */
export const there = (reason: string, message: string): WeightsState => ({ ready: true, reason, message });

/** Nothing is wrong, and they aren't there yet. */
export const waiting = (reason: string, message: string): WeightsState => ({ ready: false, reason, message });

/** Something keeps them from coming. */
export const stuck = (finding: Finding): WeightsState => ({
  ready: false,
  reason: finding.reason,
  message: finding.message,
  finding,
});

/** They lie complete on their volume. */
export const fetched = ({ spec }: View): WeightsState =>
  there('Fetched', `${spec.model.uri} is complete on its volume.`);
