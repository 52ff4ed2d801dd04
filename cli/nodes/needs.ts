import { TRUNNION } from '../../operator/trunnion.ts';
import type { V1Container, V1Pod } from '@kubernetes/client-node';
import { acceleratorNodeSelector, type Resources } from '../../constructs/parts/pod/index.ts';
import { parseQuantity } from '../../constructs/parts/values/index.ts';
import { GROUP } from '../../constructs/schema/kind.ts';
import { observePod } from '../../operator/engine/observe/index.ts';
import type { KubeObject } from '../../operator/kube/index.ts';
import { amountInWords, type Asked, type Needs } from './fit.ts';

/** By this the scheduler says that nodes have too little of a resource: see operator/kinds/shared/nodes-refuse.ts. */
const LACKS = /Insufficient /;

/** Whether conditions say, in the scheduler's words, that nodes have too little. */
export const lackIn = (conditions: readonly { readonly message?: string }[]): boolean =>
  conditions.some(({ message = '' }) => LACKS.test(message));

/** Whether the scheduler finds no node for a pod that has enough of what it asks for. */
export const isTooLarge = (object: KubeObject): boolean => lackIn(unscheduled(object));

/** Whether the scheduler finds no node for a pod. */
export const findsNoNode = (object: KubeObject): boolean =>
  unscheduled(object).some(({ reason }) => reason === 'Unschedulable');

/** The device that nodes have too little of for a pod, in the scheduler's words. */
export const lacksDevice = (pod: KubeObject): string | undefined =>
  unscheduled(pod)
    .map(({ message }) => /Insufficient ([\w.-]+\/[\w.-]+[\w-])/.exec(message)?.[1])
    .find((device) => device !== undefined);

const unscheduled = (object: KubeObject) =>
  object.kind === 'Pod' && object.metadata.deletionTimestamp === undefined
    ? observePod(object, TRUNNION).conditions.filter(
        ({ type, status }) => type === 'PodScheduled' && status === 'False',
      )
    : [];

/** A resource of any kind, as far as it is looked at. */
interface AnyResource {
  readonly apiVersion: string;
  readonly spec?: unknown;
}

interface Spec {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly resources?: Partial<Resources>;
}

/** What nodes the spec of one of Trunnion's own kinds asks for; of other kinds nothing is known. */
export function needsOfSpec({ apiVersion, spec }: AnyResource): Needs {
  if (!apiVersion.startsWith(`${GROUP}/`)) return { asked: [], nodeSelector: {} };
  const { nodeSelector = {}, resources = {} } = (spec ?? {}) as Spec;
  const { cpu, memory, gpu = 0, gpuResource = 'nvidia.com/gpu', gpuProduct } = resources;
  const named = (resource: string, field: string, amount: string | number | undefined): readonly Asked[] =>
    amount === undefined || amount === 0 ? [] : [{ resource, amount: String(amount), by: `spec.resources.${field}` }];
  return {
    asked: [...named(gpuResource, 'gpu', gpu), ...named('cpu', 'cpu', cpu), ...named('memory', 'memory', memory)],
    nodeSelector: {
      ...nodeSelector,
      ...(gpuProduct !== undefined && acceleratorNodeSelector({ gpu, gpuResource, gpuProduct })),
    },
  };
}

/**
 * What nodes a pod needs. Where the spec of its resource asks for no more than the pod does, its fields are named: those
 * are what a person can change.
 */
export function needsOfPod(object: KubeObject, resource: AnyResource): Needs {
  const { spec } = object as KubeObject & Pick<V1Pod, 'spec'>;
  const total = requestsOf(spec);
  const fields = needsOfSpec(resource).asked.filter(({ resource: name, amount }) => {
    const all = total.get(name);
    return all !== undefined && nanosOf(amount) <= all;
  });
  const own = [...total].map(([name, nanos]): Asked => ({
    resource: name,
    amount: amountInWords(name, { nanos, notation: 'decimal' }),
    by: `pod ${object.metadata.name}: ${name}`,
  }));
  return { asked: [...fields, ...own], nodeSelector: spec?.nodeSelector ?? {} };
}

/** What nodes are told to have; a pod may ask for more, such as huge pages, which few nodes have. */
const isKnown = (resource: string): boolean =>
  ['cpu', 'memory', 'ephemeral-storage'].includes(resource) || resource.includes('/');

/** Amounts by resource, in billionths. */
type Amounts = ReadonlyMap<string, bigint>;

/**
 * What the scheduler looks for on a node: all containers at once, or the init container that takes most, beside the
 * sidecars that run by then (Kubernetes 1.36, staging/src/k8s.io/component-helpers/resource/helpers.go, PodRequests).
 */
function requestsOf(spec: V1Pod['spec']): Amounts {
  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const container of spec?.initContainers ?? []) {
    const now = plus(sidecars, requests(container));
    starting = most(starting, now);
    if (container.restartPolicy === 'Always') sidecars = now;
  }
  const running = (spec?.containers ?? []).map(requests).reduce(plus, sidecars);
  const pod = amountsOf(spec?.resources?.requests);
  return plus(new Map([...most(starting, running), ...pod]), amountsOf(spec?.overhead));
}

/** How much of a device a pod asks for. */
export const requested = (spec: V1Pod['spec'], device: string): number => whole(requestsOf(spec).get(device) ?? 0n);

/** How many devices of some kinds a pod asks for. */
export const requestedOf = (spec: V1Pod['spec'], isWanted: (device: string) => boolean): number =>
  whole([...requestsOf(spec)].reduce((sum, [device, nanos]) => (isWanted(device) ? sum + nanos : sum), 0n));

const whole = (nanos: bigint): number => Number(nanos / 1_000_000_000n);

const requests = ({ resources }: V1Container): Amounts => amountsOf({ ...resources?.limits, ...resources?.requests });

const amountsOf = (amounts: Readonly<Record<string, string>> = {}): Amounts =>
  new Map(Object.entries(amounts).flatMap(([name, amount]) => (isKnown(name) ? [[name, nanosOf(amount)]] : [])));

const nanosOf = (amount: string): bigint => parseQuantity(amount)?.nanos ?? 0n;

const joined = (a: Amounts, b: Amounts, join: (x: bigint, y: bigint) => bigint): Amounts =>
  new Map([...new Set([...a.keys(), ...b.keys()])].map((name) => [name, join(a.get(name) ?? 0n, b.get(name) ?? 0n)]));

const plus = (a: Amounts, b: Amounts): Amounts => joined(a, b, (x, y) => x + y);
const most = (a: Amounts, b: Amounts): Amounts => joined(a, b, (x, y) => (x > y ? x : y));
