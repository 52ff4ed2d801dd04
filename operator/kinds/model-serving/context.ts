import type { ModelServingState } from '../../../constructs/model-serving/state.ts';
import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import type { BareCondition, Query, PartialResult } from '../../engine/api/index.ts';
import type { Rollout } from '../shared/rollout.ts';
import type { Scaling } from '../shared/scaling.ts';
import type { Observed } from './observed.ts';
import type { Weights } from './weights-state.ts';

/** Whether it serves, or how far its leave is. */
export interface Drain {
  readonly lifecycle: 'serving' | 'draining' | 'retired';
  /** Absent while it serves. */
  readonly status?: NonNullable<ModelServingStatus['drain']>;
  readonly queries: readonly Query[];
  readonly requeueAt?: number;
}

/** The children that are being deleted and don't go. */
export interface Held {
  /** As `ScaledObject llama`; none as long as it is too soon to tell. */
  readonly names: readonly string[];
  readonly requeueAt?: number;
}

/** Servers of an earlier spec that stay until those of another shape answer. */
export interface Standing {
  readonly spec: ModelServingSpec;
  /** Of them, those that take requests. */
  readonly ready: number;
  readonly replicas: number;
}

/** All that the steps look at. */
export interface Context {
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly observed: Observed;
  readonly drain: Drain;
  readonly weights: Weights;
  /** The earlier spec that still serves, where one does. */
  readonly earlier: ModelServingSpec | undefined;
  /** The spec that the pods are made from. */
  readonly template: ModelServingSpec;
  readonly held: Held;
  readonly rollout: Rollout;
  /** Absent where there is one kind of replica. */
  readonly standing: Standing | undefined;
  /** Absent where the number of servers need not follow the load. */
  readonly scaling: Scaling | undefined;
  readonly progressing: BareCondition;
  readonly available: BareCondition;
}

/** What the conditions that others depend on are made from. */
export type Circumstances = Omit<Context, 'progressing' | 'available'>;

/** What a step adds. */
export type Part = PartialResult<ModelServingState, ModelServingStatus>;
