import type { AgentServiceState } from '../../../constructs/agent-service/state.ts';
import type { AgentServiceStatus } from '../../../constructs/agent-service/status.ts';
import type { BareCondition, PartialResult } from '../../engine/api/index.ts';
import type { Rollout } from '../shared/rollout.ts';
import type { Scaling } from '../shared/scaling.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import type { Observed } from './observed.ts';

/** What `modelRef` led to, as the status keeps it. */
export type Binding = NonNullable<AgentServiceStatus['model']>;

/** What is known of the model that the spec refers to. */
export interface Model {
  /** Absent where the spec refers to none, or where it never was there. */
  readonly binding?: Binding;
  /** Why the reference leads nowhere. */
  readonly unresolved?: Diagnosis;
  /** Why nothing answers there, though it is. */
  readonly away?: Diagnosis;
}

/** All that the steps look at. */
export interface Context {
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly observed: Observed;
  readonly model: Model;
  readonly rollout: Rollout;
  /** Absent where the number of replicas need not follow the load. */
  readonly scaling: Scaling | undefined;
  readonly resolvedRefs: BareCondition;
  readonly progressing: BareCondition;
  readonly available: BareCondition;
}

/** What a step adds. */
export type Part = PartialResult<AgentServiceState, AgentServiceStatus>;
