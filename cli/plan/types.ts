import type { FieldChange } from './fields.ts';

/** Something that happens to an object. */
export interface ObjectChange {
  readonly action: 'create' | 'change' | 'replace' | 'delete';
  /** `Deployment llama` */
  readonly object: string;
  /**
   * What changes, field by field, as the API server answered a dry run.
   *
   * @default - the action says all
   */
  readonly fields?: readonly FieldChange[];
}

/** Why something of the plan can't be done. */
export interface Obstacle {
  readonly object: string;
  readonly message: string;
}

/** What applying a resource would do. */
export interface ResourcePlan {
  /** `ModelServing models/llama` */
  readonly resource: string;
  /** What would be done at once. */
  readonly now: readonly ObjectChange[];
  /** What would be done later, once what it waits for is ready. */
  readonly later: readonly ObjectChange[];
  /** Names of the pods that would be replaced or removed, now or later. */
  readonly restarts: readonly string[];
  readonly obstacles: readonly Obstacle[];
  /** Why less is done than a change of the resource may suggest: it has ended, it is suspended, it is left alone. */
  readonly notes: readonly string[];
  /**
   * Whether the caller may not see all of it.
   *
   * @default false
   */
  readonly isPartial?: true;
}
