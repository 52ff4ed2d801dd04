/** Columns of `kubectl get` that kinds share. */

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
