import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../constructs/schema/json.ts';
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
export const resourcesOf = (resources: Fields): object => ({ ...gpusOf(resources), ...processingOf(resources) });

function gpusOf(resources: Fields): object {
  const limits = resources.at('limits');
  const requests = resources.at('requests');
  const name = [...limits.names, ...requests.names].find((each) => GPU.test(each));
  if (name === undefined) return { gpu: 0 };
  const gpu = limits.count(name) ?? requests.count(name);
  // Requests of what can't be overcommitted must be its limits.
  requests.count(name, gpu);
  return { gpu: gpu ?? 0, ...(gpu !== undefined && name !== 'nvidia.com/gpu' && { gpuResource: name }) };
}

/** CPU and memory of it: the one as it is requested, the other as it is limited. */
export function processingOf(resources: Fields): object {
  const limits = resources.at('limits');
  const requests = resources.at('requests');
  const cpu = requests.take('cpu') ?? limits.take('cpu');
  const memory = limits.take('memory') ?? requests.take('memory');
  for (const name of ['cpu', 'memory']) takeBoth(name, limits, requests);
  return { ...given('cpu', cpu), ...given('memory', memory) };
}

/** Of a limit and a request that are equal, neither is left to be told. */
function takeBoth(name: string, limits: Fields, requests: Fields): void {
  if (!isDeepStrictEqual(limits.peek(name), requests.peek(name))) return;
  limits.take(name);
  requests.take(name);
}

/** Extended resources that are GPUs, or parts of them. */
const GPU = /^[^/]+\/.*(gpu|mig|shared|gaudi|npu)/i;

/** The variables at a path, where they are a map, as Kubernetes has them. */
export function envOf(fields: Fields, path: string): readonly object[] | undefined {
  const map = fields.peek(path);
  if (!isObject(map)) return undefined;
  fields.take(path);
  return Object.entries(map).map(([name, value]) => ({ name, value: plain(value) }));
}

function plain(value: Json): string {
  // As the API server has it: null is no value.
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The container that does the work: by its name, or the first. */
export function mainContainer(pod: Fields, name: string): Fields {
  const containers = pod.items('containers');
  const found = containers.find((each) => each.peek('name') === name) ?? containers[0];
  found?.text('name');
  return found ?? pod.at('containers');
}

/** A field that is there, under its name, or none. */
export const given = (name: string, value: unknown): object => (value === undefined ? {} : { [name]: value });
