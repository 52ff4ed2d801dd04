import type { ObservedPod } from '../../operator/engine/api/index.ts';
import { GROUP_LABELS } from '../../operator/kinds/shared/leader-worker-set.ts';
import type { KubeObject } from '../../operator/kube/index.ts';
import type { FieldChange } from './fields.ts';

/** The part of a workload by which its pods are found. */
interface Workload {
  readonly spec?: {
    readonly template?: unknown;
    readonly leaderWorkerTemplate?: unknown;
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  };
}

/** Whether a change of a workload makes its pods again. */
export const isOfTemplate = ({ path }: FieldChange): boolean => /^spec\.(?:template|leaderWorkerTemplate)\./.test(path);

/** Names of the pods of a workload that can still be stopped: one that has ended (of a Job) can't. */
export function livePodsOf(object: KubeObject, pods: readonly ObservedPod[]): readonly string[] {
  const { spec } = object as KubeObject & Workload;
  if (spec?.template === undefined && spec?.leaderWorkerTemplate === undefined) return [];
  // A LeaderWorkerSet has no selector.
  const labels = Object.entries(spec.selector?.matchLabels ?? { [GROUP_LABELS.set]: object.metadata.name });
  return pods
    .filter((pod) => labels.every(([key, value]) => pod.labels[key] === value))
    .filter(({ phase }) => phase === 'Pending' || phase === 'Running')
    .map(({ name }) => name);
}
