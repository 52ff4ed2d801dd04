/** A list of texts in CEL. */
export const celList = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(', ')}]`;

/** Whether a replica is a group of pods, in CEL. */
export const grouped = (spec: 'self' | 'self.spec'): string => `has(${spec}.nodes) && ${spec}.nodes > 1`;
