import { isList, isObject } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { Fields, Hints } from './fields.ts';

/** Of the fields of any pod that have no equal. */
export const podHints = (path: string): Hints => ({
  [`${path}.serviceAccountName`]:
    'a ServiceAccount of its own is made; give it what it needs by serviceAccount.annotations',
  [`${path}.securityContext`]: 'security.level says how pods are locked in',
  [`${path}.containers.securityContext`]: 'security.level says how pods are locked in',
  [`${path}.containers.livenessProbe`]: 'probes follow from the engine; podTemplate.spec.containers may say others',
  [`${path}.containers.readinessProbe`]: 'probes follow from the engine; podTemplate.spec.containers may say others',
  [`${path}.containers.startupProbe`]: 'probes follow from the engine; podTemplate.spec.containers may say others',
  [`${path}.containers.ports`]: 'the port follows from the kind',
  [`${path}.containers.resources.limits.cpu`]: 'CPUs are requested and not limited',
  [`${path}.containers.resources.requests.memory`]: 'memory is requested as it is limited',
  [`${path}.restartPolicy`]: 'retry says how often it starts anew',
});

const JSON_PARTS = [
  'affinity',
  'topologySpreadConstraints',
  'volumes',
  'hostAliases',
  'dnsPolicy',
  'dnsConfig',
] as const;

/** What of a pod's spec the spec of every kind of ours has: fields of its own, and parts of podTemplate. */
export function podFieldsOf(pod: Fields): { readonly own: object; readonly template: object } {
  return {
    own: carried(pod, ['nodeSelector', 'tolerations', 'imagePullSecrets', 'priorityClassName', 'runtimeClassName']),
    template: carried(pod, JSON_PARTS),
  };
}

/** Of a container, what goes into the container of that name of podTemplate. */
export const containerParts = (container: Fields): object =>
  carried(container, ['volumeMounts', 'envFrom', 'workingDir', 'imagePullPolicy']);

/** The fields of these names, as they are. */
export function carried(fields: Fields, names: readonly string[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = fields.take(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** The parts of a podTemplate, without those that are empty. */
export function podTemplateOf(name: string, spec: object, container: object, metadata: object = {}): object {
  const parts = {
    ...spec,
    ...(Object.keys(container).length > 0 && { containers: [{ name, ...container }] }),
  };
  const template = {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(Object.keys(parts).length > 0 && { spec: parts }),
  };
  return Object.keys(template).length === 0 ? {} : { podTemplate: template };
}

/** What a container asks for, as `resources` of ours: GPUs by their extended resource, CPU and memory. */
export function resourcesOf(resources: Fields, gpus = true): object {
  const limits = resources.at('limits');
  const requests = resources.at('requests');
  const gpuResource = [...limits.names, ...requests.names].find(isGpu);
  // Requests of what can't be overcommitted must be its limits.
  const gpu = gpuResource === undefined ? undefined : both(gpuResource, limits, requests);
  const cpu = requests.take('cpu') ?? limits.take('cpu');
  const memory = limits.take('memory') ?? requests.take('memory');
  if (cpu !== undefined && limits.peek('cpu') === cpu) limits.take('cpu');
  if (memory !== undefined && requests.peek('memory') === memory) requests.take('memory');
  return {
    ...(gpus && { gpu: Number(gpu ?? 0) }),
    ...(gpuResource !== undefined && gpuResource !== 'nvidia.com/gpu' && { gpuResource }),
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
  };
}

const isGpu = (name: string): boolean => /^[^/]+\/.*(gpu|mig|shared|gaudi|npu)/i.test(name);

function both(name: string, limits: Fields, requests: Fields): Json | undefined {
  const limit = limits.take(name);
  const request = requests.take(name);
  return limit ?? request;
}

/** Variables as Kubernetes has them, of a map. */
export const envOf = (map: Json | undefined): readonly object[] =>
  isObject(map) ? Object.entries(map).map(([name, value]) => ({ name, value: plain(value) })) : [];

const plain = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The container that does the work: by its name, or the first. */
export function mainContainer(pod: Fields, ...names: readonly string[]): Fields {
  const containers = pod.items('containers');
  const found = containers.find((each) => names.some((name) => name === each.peek('name'))) ?? containers[0];
  found?.take('name');
  return found ?? pod.at('containers[0]');
}

/** A field that is there, under its name, or none. */
export const given = (name: string, value: unknown): object =>
  value === undefined || (isList(value as Json) && (value as readonly Json[]).length === 0) ? {} : { [name]: value };
