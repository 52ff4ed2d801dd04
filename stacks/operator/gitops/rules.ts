/** What Argo CD says of a resource. Flux says Current for Healthy and Suspended, Failed for Degraded, else InProgress. */
export type Health = 'Healthy' | 'Progressing' | 'Suspended' | 'Degraded';

/** What a condition must be like for its resource to be of a health; the condition's message is the reason. */
export interface HealthRule {
  /** The type of the condition. */
  readonly type: string;
  /**
   * What its status must be.
   *
   * @default - any
   */
  readonly status?: 'True' | 'False' | 'Unknown';
  /**
   * What its reason must be.
   *
   * @default - any
   */
  readonly reason?: string;
  /**
   * What its reason must not be.
   *
   * @default - none
   */
  readonly otherThan?: string;
  /**
   * A condition that must not be there.
   *
   * @default - none
   */
  readonly without?: string;
  readonly health: Health;
}

/** By this annotation the operator leaves a resource alone, whatever its conditions say. */
export const PAUSED_ANNOTATION = 'trunnion.dev/paused';

/**
 * The health of a resource of any kind: the first rule that holds counts, and without one it is Progressing, as is a
 * resource of a generation that the operator has not seen. Phases follow from conditions, and so do those of earlier
 * operators' kinds, so conditions say all.
 */
export const HEALTH_RULES: readonly HealthRule[] = [
  // Its annotation is gone, and the operator has not looked since.
  { type: 'Paused', status: 'True', health: 'Progressing' },
  { type: 'Stalled', status: 'True', health: 'Degraded' },
  { type: 'Accepted', status: 'False', health: 'Degraded' },
  // Of what ends: a training, a search.
  { type: 'Failed', status: 'True', health: 'Degraded' },
  { type: 'Complete', status: 'True', health: 'Healthy' },
  { type: 'Suspended', status: 'True', health: 'Suspended' },
  { type: 'Running', health: 'Progressing' },
  // Of what serves: a model, an agent.
  { type: 'Progressing', reason: 'Retired', health: 'Suspended' },
  { type: 'Progressing', status: 'False', health: 'Degraded' },
  { type: 'Progressing', otherThan: 'Complete', health: 'Progressing' },
  { type: 'Available', reason: 'ScaledToZero', health: 'Healthy' },
  // Replicas that an autoscaler has just added load their model for minutes: Argo CD calls a Deployment Progressing then.
  { type: 'Available', otherThan: 'Available', health: 'Progressing' },
  // It waits for what it refers to, and nothing of it was made yet.
  { type: 'Ready', status: 'False', without: 'Progressing', health: 'Progressing' },
  { type: 'Ready', status: 'False', health: 'Degraded' },
  { type: 'Ready', status: 'True', health: 'Healthy' },
];
