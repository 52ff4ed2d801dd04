/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description: string;
  /** Above 0 it is shown by `-o wide` alone. */
  readonly priority?: number;
}

/** Where a resource stands. */
export const PHASE_COLUMN = {
  name: 'Phase',
  type: 'string',
  jsonPath: '.status.phase',
  description: 'Where it stands, in one word.',
} as const;

/** How old a resource is. */
export const AGE_COLUMN = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'Time since it was made.',
} as const;
