import { TRUNNION } from '../../operator/trunnion.ts';
import type { V1Node, V1Pod } from '@kubernetes/client-node';
import type { KubeObject } from '../../operator/kube/index.ts';
import { requestedOf } from '../nodes/needs.ts';
import type { NodeGpus, TopPod } from './types.ts';

type Pod = KubeObject & Pick<V1Pod, 'spec' | 'status'>;
type Node = KubeObject & Pick<V1Node, 'spec' | 'status'>;

/** Says of an extended resource whether it is a GPU, or a part of one. */
export type IsGpu = (device: string) => boolean;

/**
 * What NVIDIA's, AMD's and Intel's device plugins offer: whole GPUs, shared ones, and slices by MIG. Network cards have the
 * same domain, such as nvidia.com/hostdev.
 */
const GPU = /^(?:nvidia\.com\/(?:gpu|mig-)|amd\.com\/gpu|gpu\.intel\.com\/(?:i915|xe)$)/;

/** @param named - devices that resources name as their GPUs */
export const gpuTest =
  (named: ReadonlySet<string>): IsGpu =>
  (device) =>
    named.has(device) || GPU.test(device);

/** What the table needs of a pod; undefined where it has ended, so that it holds nothing. */
export function topPodOf(object: KubeObject, isGpu: IsGpu): TopPod | undefined {
  const { metadata, spec, status } = object as Pod;
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined;
  const { namespace = '', name, labels = {}, annotations = {} } = metadata;
  const isReady = status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
  const metrics = isReady && metadata.deletionTimestamp === undefined ? metricsIn(annotations) : undefined;
  return {
    namespace,
    name,
    isOurs: labels[TRUNNION.labels.operator] === TRUNNION.partOf && labels[TRUNNION.labels.name] !== undefined,
    label: labels[TRUNNION.labels.kind] ?? '',
    instance: labels[TRUNNION.labels.name] ?? '',
    gpus: requestedOf(spec, isGpu),
    ...(spec?.nodeName !== undefined && spec.nodeName !== '' && { node: spec.nodeName }),
    ...(metrics !== undefined && { metrics }),
  };
}

/** The construct puts them on the pods of engines that have metrics. */
function metricsIn(annotations: Readonly<Record<string, string>>): TopPod['metrics'] {
  const { 'prometheus.io/port': port = '', 'prometheus.io/path': path = '/metrics' } = annotations;
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return { port: Number(port), path };
}

/** What GPUs nodes have, and who holds them. */
export function nodeGpus(nodes: readonly KubeObject[], pods: readonly TopPod[], isGpu: IsGpu): NodeGpus {
  const held = Map.groupBy(pods, ({ node = '' }) => node);
  let [total, ours, others, free, closed] = [0, 0, 0, 0, 0];
  for (const node of nodes as readonly Node[]) {
    const there = Object.entries(node.status?.allocatable ?? {})
      .filter(([device]) => isGpu(device))
      .reduce((sum, [, amount]) => sum + (Number(amount) || 0), 0);
    const here = held.get(node.metadata.name) ?? [];
    const oursHere = sum(here.filter(({ isOurs }) => isOurs));
    const othersHere = sum(here) - oursHere;
    const left = Math.max(0, there - oursHere - othersHere);
    total += there;
    ours += oursHere;
    others += othersHere;
    if (isOpen(node)) free += left;
    else closed += left;
  }
  return { total, ours, others, free, closed };
}

const sum = (pods: readonly TopPod[]): number => pods.reduce((all, { gpus }) => all + gpus, 0);

const isOpen = ({ spec, status }: Node): boolean =>
  spec?.unschedulable !== true &&
  (status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false);
