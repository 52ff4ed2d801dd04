import type { Manifest } from '../../workload.ts';

/** The ServiceAccount of a workload's pods, whose token they don't get. */
export const serviceAccount = (
  metadata: Manifest['metadata'],
  annotations: Readonly<Record<string, string>> | undefined,
): Manifest => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { ...metadata, ...(annotations && { annotations }) },
  automountServiceAccountToken: false,
});
