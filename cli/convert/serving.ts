import { modelServing } from '../../constructs/model-serving/kind.ts';
import { isList, isObject } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { Fields } from './fields.ts';
import { schemaOf } from './known.ts';
import { withModelPath } from './model-path.ts';
import { given } from './pods.ts';

/** Where nothing says how large the weights are: enough for 40 billion parameters at two bytes each. */
const DEFAULT_SIZE = '100Gi';

/** Where nothing says at which use to scale. */
const CPU_PERCENT = 80;

/** The volume that the weights are fetched onto, of which others say nothing: they fetch anew into each pod. */
export function fetchedStorage(fields: Fields, uri: string | undefined): object {
  if (uri === undefined || /^(pvc|oci):/.test(uri)) return {};
  fields.tell(
    'spec.storage',
    `is chosen: ${DEFAULT_SIZE} that all replicas share; give the size of the weights, and a storage class that can`,
  );
  return { storage: { size: DEFAULT_SIZE, accessMode: 'ReadWriteMany' } };
}

/** The fewest replicas: of a service there is at least one, at which its autoscaler can see a load. */
export function fewestOf(fields: Fields, fallback: number): number {
  const fewest = fields.number('minReplicas') ?? fallback;
  if (fewest < 1) fields.note('minReplicas', 'a service is not scaled to zero: 1 is its least');
  return Math.max(1, fewest);
}

/** An autoscaler that needs nothing else to be installed, where others scale by what nothing here counts. */
export function scalingByCpu(fields: Fields, minReplicas: number, maxReplicas: number, percent?: number): object {
  if (percent === undefined) {
    fields.note(
      'maxReplicas',
      `it is scaled by CPU, at ${CPU_PERCENT} percent; autoscaling.targets has latencies and queues, which need Prometheus and KEDA`,
    );
  }
  return { minReplicas, maxReplicas, targets: { cpuPercent: percent ?? CPU_PERCENT } };
}

/**
 * The name that clients ask for: the one that arguments say, else the name of the resource, which may have to be another
 * here.
 */
export function namedAs(fields: Fields, { name }: { readonly name?: string }): object {
  const own = fields.peek('metadata.name');
  const isRenamed = typeof own === 'string' && !/^[a-z][-a-z0-9]*$/.test(own);
  return given('name', name ?? (isRenamed ? own : undefined));
}

/** How long requests in flight have, of how long a pod has to stop. */
export const drainOf = (graceSeconds: Json | undefined): object =>
  typeof graceSeconds === 'number' ? { drain: { timeoutSeconds: Math.min(graceSeconds, LONGEST_DRAIN) } } : {};

const LONGEST_DRAIN = 3600;

/** How replicas are replaced, where it is said in numbers. */
export function rolloutOf(strategy: Fields): object {
  const rollout = {
    ...given('maxSurge', strategy.number('maxSurge')),
    ...given('maxUnavailable', strategy.number('maxUnavailable')),
  };
  return Object.keys(rollout).length === 0 ? {} : { rollout };
}

/** The port that a container listens on, where it says so; KServe asks a container that does not at 8080. */
export function portOf(
  container: Fields,
  { type, engine }: { readonly type: string; readonly engine: object },
): object {
  const [first] = container.items('ports');
  const port = first?.number('containerPort');
  if ('port' in engine) return {};
  if (port !== undefined) {
    first?.note('containerPort', 'is the port of the Service as well');
    return { port };
  }
  return type === 'custom' && container.peek('image') !== undefined ? { port: KSERVE_PORT } : {};
}

/** InferenceServiceDefaultHttpPort of kserve v0.20.0, pkg/constants/constants.go. */
const KSERVE_PORT = 8080;

/**
 * An engine with its variables. Those of a server that downloads by itself are for what fetches its model here: they
 * reach all containers.
 */
export function engineEnv(container: Fields, isDownload: boolean, engine: object): object {
  const env = container.carry('env', schemaOf(modelServing, 'spec.engine.env'));
  const moved = isList(env) ? env.map((each) => withPath(container, each)) : env;
  if (!isDownload || moved === undefined || !('type' in engine) || engine.type === 'custom') {
    return { engine: { ...engine, ...given('env', moved) } };
  }
  container.note('env', 'reaches all containers: the fetch as well, which reads tokens and endpoints from it');
  return { env: moved, engine };
}

function withPath(container: Fields, value: Json): Json {
  if (!isObject(value) || typeof value['value'] !== 'string') return value;
  if (value['name'] === 'STORAGE_URI') return { name: 'STORAGE_URI', value: '$(MODEL_PATH)' };
  const variable = container.items('env').find((each) => each.peek('name') === value['name']);
  return { ...value, value: withModelPath(value['value'], () => variable?.note('value', MOVED)) };
}

const MOVED = 'the model lies at $(MODEL_PATH) here';
