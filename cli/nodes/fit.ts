import type { V1Node } from '@kubernetes/client-node';
import { compareQuantities, parseQuantity, type Quantity } from '../../constructs/parts/values/index.ts';
import type { KubeObject } from '../../operator/kube/index.ts';

type Node = KubeObject & Pick<V1Node, 'spec' | 'status'>;

/** How much of a resource one pod asks for. */
export interface Asked {
  /** As nodes name it: `memory`, `nvidia.com/gpu`. */
  readonly resource: string;
  /** As it is written: `9000Gi`. */
  readonly amount: string;
  /** Where it is asked for: `spec.resources.memory`, or `pod llama-x: memory`. */
  readonly by: string;
}

/** What nodes a pod needs. */
export interface Needs {
  /** Of one resource there may be several: what a field says, and what the pod asks for in all. */
  readonly asked: readonly Asked[];
  /** Labels that a node must have. */
  readonly nodeSelector: Readonly<Record<string, string>>;
}

/**
 * What of a pod no node could hold, even one that is empty: a sentence for each resource, with how much the largest node
 * has. It looks at what nodes say that pods can have (`status.allocatable`), and only at nodes that are not cordoned.
 *
 * CPU and memory are looked for on the nodes that have the GPUs and the labels that the pod needs, where there are any.
 */
export function misfits({ asked, nodeSelector }: Needs, nodes: readonly KubeObject[]): readonly string[] {
  const open = (nodes as readonly Node[]).filter(({ spec }) => spec?.unschedulable !== true);
  if (open.length === 0) return [];
  const labels = Object.entries(nodeSelector);
  const selected = orAll(
    open.filter(({ metadata }) => labels.every(([key, value]) => metadata.labels?.[key] === value)),
    open,
  );
  const devices = asked.filter(isDevice);
  const equipped = orAll(
    selected.filter((node) => devices.every((each) => !isLess(allocatable(node, each.resource), each))),
    selected,
  );
  const having = new Set([
    ...(selected.length < open.length ? labels.map(([key, value]) => `${key}=${value}`) : []),
    ...(equipped.length < selected.length ? devices.map(({ resource, amount }) => `${amount} × ${resource}`) : []),
  ]);
  const known = new Set((nodes as readonly Node[]).flatMap(({ status }) => Object.keys(status?.allocatable ?? {})));
  const reported = asked.flatMap((each) => {
    if (isDevice(each) && !known.has(each.resource)) return [{ ...each, sentence: absent(each) }];
    const most = largestOf(isDevice(each) ? open : equipped, each.resource);
    if (!isLess(most, each)) return [];
    return [{ ...each, sentence: tooMuch(each, most, isDevice(each) ? [] : [...having]) }];
  });
  return [...Map.groupBy(reported, ({ resource }) => resource).values()].flatMap((all) => all[0]?.sentence ?? []);
}

/** Whether a node could hold a pod, if nothing else ran there. */
export const couldHold = (node: KubeObject, { asked, nodeSelector }: Needs): boolean =>
  Object.entries(nodeSelector).every(([key, value]) => node.metadata.labels?.[key] === value) &&
  asked.every((each) => !isLess(allocatable(node, each.resource), each));

/** Names with a domain are extended resources, which a device plugin offers. */
const isDevice = ({ resource }: Asked): boolean => resource.includes('/');

const orAll = <T>(some: readonly T[], all: readonly T[]): readonly T[] => (some.length > 0 ? some : all);

const NOTHING: Quantity = { nanos: 0n, notation: 'decimal' };

const allocatable = ({ status }: Node, resource: string): Quantity =>
  parseQuantity(status?.allocatable?.[resource] ?? '0') ?? NOTHING;

const largestOf = (nodes: readonly Node[], resource: string): Quantity =>
  nodes
    .map((node) => allocatable(node, resource))
    .reduce((most, each) => (compareQuantities(each, most) > 0 ? each : most), NOTHING);

const isLess = (there: Quantity, { amount }: Asked): boolean =>
  compareQuantities(there, parseQuantity(amount) ?? NOTHING) < 0;

/** Resources that a GPU operator offers. */
const GPU = /^(?:nvidia|amd)\.com\/|gpu/;

const absent = ({ resource, by, amount }: Asked): string =>
  `No node has ${resource} at all (${by} ${amount}): is ${GPU.test(resource) ? 'the GPU operator or device plugin' : 'its device plugin'} installed? Where an autoscaler begins such nodes at zero, there is none yet.`;

const tooMuch = (asked: Asked, most: Quantity, having: readonly string[]): string => {
  const where = having.length === 0 ? '' : ` with ${having.join(' and ')}`;
  const unit = isDevice(asked) ? ` × ${asked.resource}` : '';
  return `${asked.by} ${asked.amount} fits no node${where}: the largest has ${amountInWords(asked.resource, most)}${unit}`;
};

const ONE = 1_000_000_000n;
const UNITS = [
  ['Gi', 2n ** 30n],
  ['Mi', 2n ** 20n],
  ['Ki', 2n ** 10n],
] as const;

/** An amount for people: CPUs, GiB, a count. It is rounded down, since what a pod asks for must not look as if it fitted. */
export function amountInWords(resource: string, { nanos }: Quantity): string {
  if (resource === 'cpu') return String(Number(nanos / 1_000_000n) / 1000);
  const bytes = nanos / ONE;
  if (resource.includes('/')) return String(bytes);
  const [unit, size] = UNITS.find(([, one]) => bytes >= one) ?? ['', 1n];
  return `${Number((bytes * 10n) / size) / 10}${unit}`;
}
