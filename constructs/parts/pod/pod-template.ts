import { isObject, type PlainObject } from '../../schema/json.ts';
import type { Container, PodSpec, PodTemplate, Volume } from '../objects/index.ts';
import { canonicalQuantity } from '../values/index.ts';

/** A container as a user may add or change it. */
type ContainerPatch = Partial<Omit<Container, 'name' | 'securityContext' | 'resources'>> & {
  readonly name: string;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string | number>>;
    readonly limits?: Readonly<Record<string, string | number>>;
  };
};

/** `spec.podTemplate`: what is merged into the template of a workload's pods. */
export interface PodTemplatePatch {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>> & {
    readonly containers?: readonly ContainerPatch[];
    readonly initContainers?: readonly ContainerPatch[];
    readonly volumes?: readonly unknown[];
  };
}

/** The lists that are merged item by item, and the fields by which items are told apart; other lists are replaced. */
const MERGE_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['containers', ['name']],
  ['initContainers', ['name']],
  ['volumes', ['name']],
  ['env', ['name']],
  ['volumeMounts', ['mountPath']],
  ['ports', ['containerPort', 'protocol']],
  ['imagePullSecrets', ['name']],
  ['hostAliases', ['ip']],
  ['topologySpreadConstraints', ['topologyKey', 'whenUnsatisfiable']],
]);

/** The ways in which a probe asks: a patch that brings one takes the place of the others. */
const PROBE_ACTIONS = ['httpGet', 'tcpSocket', 'grpc', 'exec'];

/**
 * Merges a patch into a pod template, as a strategic merge of Kubernetes does. Labels of ours win, since selectors go
 * by them. Init containers of the user run before ours, ordinary ones stand behind ours.
 *
 * Security contexts are put on after this, so that nothing here gets around them.
 */
export function mergePodTemplate(template: PodTemplate, patch: PodTemplatePatch): PodTemplate {
  const { metadata, spec } = patch;
  const merged = mergeObject(template.spec, withProtocols(spec ?? {})) as unknown as PodSpec;
  return {
    metadata: {
      labels: { ...metadata?.labels, ...template.metadata.labels },
      ...mergedAnnotations(template, metadata?.annotations),
    },
    spec: canonicalQuantities({
      ...merged,
      ...(merged.initContainers && { initContainers: usersFirst(template.spec, merged.initContainers) }),
    }),
  };
}

/** A port of which no protocol is said is one of TCP. The schema has no such default: see containers.schema.ts. */
function withProtocols(spec: PlainObject): PlainObject {
  const lists = ['containers', 'initContainers'].flatMap((list) => {
    const containers = spec[list] as readonly ContainerPatch[] | undefined;
    return containers === undefined ? [] : [[list, containers.map(withProtocol)]];
  });
  return { ...spec, ...(Object.fromEntries(lists) as PlainObject) };
}

const withProtocol = (container: ContainerPatch): ContainerPatch =>
  container.ports === undefined
    ? container
    : { ...container, ports: container.ports.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' })) };

function mergedAnnotations(
  template: PodTemplate,
  annotations: Readonly<Record<string, string>> | undefined,
): { annotations?: Readonly<Record<string, string>> } {
  const merged = { ...template.metadata.annotations, ...annotations };
  return Object.keys(merged).length === 0 ? {} : { annotations: merged };
}

function usersFirst(ours: PodSpec, merged: readonly Container[]): readonly Container[] {
  const names = new Set(ours.initContainers?.map(({ name }) => name));
  return [...merged.filter(({ name }) => !names.has(name)), ...merged.filter(({ name }) => names.has(name))];
}

function mergeObject(base: PlainObject, patch: PlainObject): PlainObject {
  const replaced = PROBE_ACTIONS.some((action) => patch[action] !== undefined) ? without(base, PROBE_ACTIONS) : base;
  const merged = new Map(Object.entries(replaced));
  for (const [key, value] of Object.entries(patch)) {
    if (value !== undefined) merged.set(key, mergeValue(merged.get(key), value, MERGE_KEYS.get(key)));
  }
  return Object.fromEntries(merged);
}

function mergeValue(base: unknown, patch: unknown, keys: readonly string[] | undefined): unknown {
  if (Array.isArray(base) && Array.isArray(patch) && keys)
    return mergeList(base as PlainObject[], patch as PlainObject[], keys);
  return isObject(base) && isObject(patch) ? mergeObject(base, patch) : patch;
}

function mergeList(
  base: readonly PlainObject[],
  patch: readonly PlainObject[],
  keys: readonly string[],
): readonly PlainObject[] {
  const same = (one: PlainObject, other: PlainObject) => keys.every((key) => one[key] === other[key]);
  const merged = base.map((item) => {
    const change = patch.find((other) => same(item, other));
    return change ? mergeObject(item, change) : item;
  });
  return [...merged, ...patch.filter((item) => !base.some((other) => same(item, other)))];
}

/** Amounts that the user wrote, in the form in which the API server gives them back. */
function canonicalQuantities(spec: PodSpec): PodSpec {
  return {
    ...spec,
    containers: spec.containers.map(canonicalResources),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(canonicalResources) }),
    ...(spec.volumes && { volumes: spec.volumes.map(canonicalSizeLimit) }),
  };
}

function canonicalResources(container: Container): Container {
  if (!container.resources) return container;
  const { requests, limits } = container.resources;
  return {
    ...container,
    resources: {
      ...container.resources,
      ...(requests && { requests: canonicalAmounts(requests) }),
      ...(limits && { limits: canonicalAmounts(limits) }),
    },
  };
}

const canonicalAmounts = (amounts: Readonly<Record<string, string | number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, canonicalQuantity(amount)]));

function canonicalSizeLimit(volume: Volume): Volume {
  const sizeLimit = volume.emptyDir?.sizeLimit;
  if (sizeLimit === undefined) return volume;
  return { ...volume, emptyDir: { ...volume.emptyDir, sizeLimit: canonicalQuantity(sizeLimit) } };
}

const without = (object: PlainObject, keys: readonly string[]): PlainObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
