/** Who may mount a volume, by Kubernetes' own names. ReadOnlyMany is known, and refused for a volume that is fetched onto. */
export const ACCESS_MODES = ['ReadWriteOnce', 'ReadWriteMany', 'ReadOnlyMany'] as const;

/** One of {@link ACCESS_MODES}. */
export type AccessMode = (typeof ACCESS_MODES)[number];
