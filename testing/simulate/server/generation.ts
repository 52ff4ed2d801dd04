import { groupOf } from '../../../operator/engine/api/index.ts';

/** Groups whose objects have no generation; in the core group pods alone have one. From the strategies of Kubernetes v1.36.3. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  'autoscaling',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

/** Whether the API server counts the changes of such an object's spec. */
export const hasGeneration = ({
  apiVersion,
  kind,
}: {
  readonly apiVersion: string;
  readonly kind: string;
}): boolean => {
  const group = groupOf(apiVersion);
  return group === '' ? kind === 'Pod' : !UNCOUNTED.has(group);
};
