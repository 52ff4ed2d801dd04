import type { V1Node } from '@kubernetes/client-node';
import type { KubeObject } from '../../../operator/kube/index.ts';
import type { Check, Observed } from '../types.ts';

type Node = KubeObject & Pick<V1Node, 'status'>;

const about = 'GPUs';

/** Extended resources that are accelerators: `nvidia.com/gpu`, `nvidia.com/mig-1g.10gb`, `amd.com/gpu`, `gpu.intel.com/i915`. */
const ACCELERATOR =
  /^(nvidia\.com\/(gpu|mig-.+)|amd\.com\/gpu.*|gpu\.intel\.com\/.+|habana\.ai\/gaudi|google\.com\/tpu|aws\.amazon\.com\/neuron.*)$/;

/** What nodes that have a GPU of these vendors are labelled with by Node Feature Discovery, driver or not. */
const HARDWARE = /^feature\.node\.kubernetes\.io\/pci-(10de|1002|8086|0300_10de|0302_10de|0302_1002)\.present$/;

/** Whether nodes offer GPUs, and what else can be told of them. */
export function checkAccelerators({ nodes }: Observed): readonly Check[] {
  if (!nodes.known) return [{ about, verdict: 'warn', found: 'nodes can not be looked at', advice: nodes.because }];
  const all = nodes.value as readonly Node[];
  const offers = offersOf(all);
  const idle = all.filter(
    (node) =>
      Object.keys(node.metadata.labels ?? {}).some((key) => HARDWARE.test(key)) && resourcesOf(node).length === 0,
  );
  return [
    ...[...offers].map(([resource, { count, nodes: names }]): Check => ({
      about,
      verdict: 'ok',
      found: `${count} × ${resource} on ${names.length} of ${all.length} nodes`,
    })),
    ...(offers.size === 0 ? [noGpu(all.length)] : unlabelled(all)),
    ...(idle.length === 0 ? [] : [withoutPlugin(idle)]),
  ];
}

const resourcesOf = ({ status }: Node): readonly (readonly [resource: string, count: number])[] =>
  Object.entries(status?.allocatable ?? {})
    .map(([resource, count]) => [resource, Number(count)] as const)
    .filter(([resource, count]) => ACCELERATOR.test(resource) && count > 0);

function offersOf(nodes: readonly Node[]): ReadonlyMap<string, { count: number; nodes: string[] }> {
  const offers = new Map<string, { count: number; nodes: string[] }>();
  for (const node of nodes) {
    for (const [resource, count] of resourcesOf(node)) {
      const offer = offers.get(resource) ?? { count: 0, nodes: [] };
      offers.set(resource, { count: offer.count + count, nodes: [...offer.nodes, node.metadata.name] });
    }
  }
  return offers;
}

const noGpu = (count: number): Check => ({
  about,
  verdict: 'warn',
  found: `none of ${count} nodes offers a GPU`,
  advice:
    "What asks for resources.gpu waits until a node has one. Where an autoscaler begins GPU nodes at zero, all is well: it adds one for the first pod. Else add nodes with GPUs, and install NVIDIA's GPU operator, or your vendor's device plugin.",
});

function unlabelled(nodes: readonly Node[]): readonly Check[] {
  const bare = nodes.filter(
    (node) =>
      resourcesOf(node).some(([resource]) => resource === 'nvidia.com/gpu') &&
      node.metadata.labels?.['nvidia.com/gpu.product'] === undefined,
  );
  if (bare.length === 0) return [];
  const found = `${namesOf(bare)} without the label nvidia.com/gpu.product`;
  const advice =
    'resources.gpuProduct does not find them. The GPU feature discovery, a part of the GPU operator, puts it on.';
  return [{ about, verdict: 'warn', found, advice }];
}

const withoutPlugin = (nodes: readonly Node[]): Check => ({
  about,
  verdict: 'fail',
  found: `a GPU is there, but not offered: ${namesOf(nodes)} without its device plugin`,
  advice:
    'Its driver or device plugin does not run there: kubectl describe node, and the pods of the GPU operator, tell why.',
});

/** At most three by name. */
function namesOf(nodes: readonly Node[]): string {
  const names = nodes.map(({ metadata }) => metadata.name);
  return names.length === 1
    ? `node ${names.join('')} is`
    : `${names.length} nodes (${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}) are`;
}
