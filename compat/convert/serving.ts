import { modelServing } from '../../constructs/model-serving/kind.ts';
import { isList, isObject } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { Fields } from './fields.ts';
import { schemaOf } from './known.ts';
import { withModelPath } from './model-path.ts';
import { given } from './pods.ts';
import { isOfScript } from './script-variables.ts';
import { filledIn } from './templates.ts';
import type { Templates } from './templates.ts';

/** Where nothing says how large the weights are: enough for 40 billion parameters at two bytes each. */
const DEFAULT_SIZE = '100Gi';

/** Where nothing says at which use to scale. */
const CPU_PERCENT = 80;

/** The volume that the weights are fetched onto, of which others say nothing: they fetch again into each pod. */
export function fetchedStorage(fields: Fields, uri: string | undefined): object {
  if (uri === undefined || /^(pvc|oci):/.test(uri)) return {};
  fields.report(
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

/**
 * The port that a container listens on, where it says so.
 *
 * @param otherwise - where requests go to a program of the user's own that says none
 */
export function portOf(
  container: Fields,
  { type, engine }: { readonly type: string; readonly engine: object },
  otherwise = KSERVE_PORT,
): object {
  const named = container.items('ports');
  for (const each of named.filter(isOfGrpc)) each.note('containerPort', 'is left out: the Service leads to HTTP alone');
  const first = named.find((each) => !isOfGrpc(each));
  for (const each of named) if (isOfGrpc(each)) each.take('containerPort');
  const port = first?.number('containerPort');
  if ('port' in engine) {
    if (port !== undefined && port !== engine.port) {
      first?.note('containerPort', `is left out: by its arguments the engine listens on ${String(engine.port)}`);
    }
    return {};
  }
  if (port !== undefined) {
    first?.note('containerPort', 'is the port of the Service as well');
    return { port };
  }
  if (type !== 'custom' || container.peek('image') === undefined) return {};
  return { port: otherwise === KSERVE_PORT ? KSERVE_PORT : (portGiven(container) ?? otherwise) };
}

/** By these names KServe and Knative know a port of gRPC. */
function isOfGrpc(port: Fields): boolean {
  const name = port.peek('name');
  return typeof name === 'string' && /^(?:h2c|grpc)(?:-|$)/.test(name);
}

/** The port that the last `--port` of a command says, which may be a script. */
function portGiven(container: Fields): number | undefined {
  const words = ['command', 'args'].flatMap((name) => {
    const value = container.peek(name);
    return isList(value) ? value.filter((each) => typeof each === 'string') : [];
  });
  const given = [...words.join(' ').matchAll(/(?:^|\s)--port[=\s]+(\d{1,5})(?=\s|$)/g)].at(-1)?.[1];
  return given === undefined ? undefined : Number(given);
}

/** InferenceServiceDefaultHttpPort of kserve v0.20.0, pkg/constants/constants.go. */
const KSERVE_PORT = 8080;

/**
 * An engine with its variables. Those of a server that downloads by itself are for what fetches its model here: they
 * reach all containers.
 */
export function engineEnv(
  container: Fields,
  { isDownload, templates, isByScript = false }: Surroundings,
  engine: object,
): object {
  const env = container.carry('env', schemaOf(modelServing, 'spec.engine.env'));
  const kept = isList(env) ? env.filter((each) => !isByScript || !isObject(each) || !isOfScript(each['name'])) : env;
  const moved = isList(kept) ? listed(kept.map((each) => withPath(container, each, templates))) : kept;
  if (!isDownload || moved === undefined || !('type' in engine) || engine.type === 'custom') {
    return { engine: { ...engine, ...given('env', moved) } };
  }
  container.note('env', 'reaches all containers: the fetch as well, which reads tokens and endpoints from it');
  return { env: moved, engine };
}

/** What is known of an engine beside its container. */
interface Surroundings {
  readonly isDownload: boolean;
  /**
   * What is filled into templates.
   *
   * @default - nothing
   */
  readonly templates?: Templates | undefined;
  /**
   * Whether KServe's script starts it, whose variables are read as arguments.
   *
   * @default false
   */
  readonly isByScript?: boolean;
}

const listed = (list: readonly Json[]): readonly Json[] | undefined => (list.length === 0 ? undefined : list);

function withPath(container: Fields, value: Json, templates: Templates | undefined): Json {
  if (!isObject(value) || typeof value['value'] !== 'string') return value;
  if (value['name'] === 'STORAGE_URI') return { name: 'STORAGE_URI', value: '$(MODEL_PATH)' };
  const variable = container.items('env').find((each) => each.peek('name') === value['name']);
  const note = (message: string) => variable?.note('value', message);
  const text = templates === undefined ? value['value'] : filledIn(value['value'], templates, note);
  return { ...value, value: withModelPath(text, () => note(MOVED)) };
}

const MOVED = 'the model lies at $(MODEL_PATH) here';
