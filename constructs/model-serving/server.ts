import {
  acceleratorNodeSelector,
  acceleratorTolerations,
  resourceRequirements,
  HOME_ENV,
  HOME_MOUNTS,
  HOME_VOLUMES,
  SHARED_MEMORY_MOUNT,
  SHARED_MEMORY_VOLUME,
  secure,
  mergePodTemplate,
  probes,
  STARTUP_BUDGET,
  gracePeriodSeconds,
} from '../parts/pod/index.ts';
import type { PodTemplatePatch } from '../parts/pod/index.ts';
import type {
  Container,
  ContainerPort,
  PodSpec,
  PodTemplate,
  Volume,
  VolumeMount,
  Labels,
} from '../parts/objects/index.ts';
import { FETCH, WAIT, WEIGHTS_ANNOTATION, weightsKey } from '../parts/weights/index.ts';
import { SERVER } from './server-container.ts';
import { commandOf, engineImageOf, engineOf, envOf, healthOf, lifecycleOf, nodesOf, portOf } from './launch.ts';
import type { GroupMember } from './engine.ts';
import { groupAffinity, NODES_ANNOTATION } from './group.ts';
import type { ModelServingSpec } from './spec.ts';

/** Where a pod finds its model. */
export interface ModelMount {
  /** The folder that holds the model. */
  readonly path: string;
  readonly volumes: readonly Volume[];
  readonly mounts: readonly VolumeMount[];
  /** What brings the model, or waits for it, before the server starts. */
  readonly initContainers: readonly Container[];
}

/** What the pods of a server are made from. */
export interface Server {
  readonly name: string;
  readonly spec: ModelServingSpec;
  readonly labels: Labels;
  readonly model: ModelMount;
  /** The image that was pinned for the engine. */
  readonly pinnedImage?: string | undefined;
  /** A hash of the Secrets and ConfigMaps that the pods refer to, once one has changed. */
  readonly referencesHash?: string | undefined;
  /**
   * What it does in a group of pods.
   *
   * @default - it is a replica by itself
   */
  readonly role?: GroupMember['role'] | undefined;
}

/** The template of the pods that serve. */
export function serverTemplate(server: Server): PodTemplate {
  const { name, spec, labels, role } = server;
  const annotations = {
    ...(role !== 'worker' && scrapeAnnotations(spec)),
    // Which model a pod has, for anyone who looks at pods while one model takes the place of another.
    [WEIGHTS_ANNOTATION]: weightsKey(spec.model),
    ...(role !== undefined && { [NODES_ANNOTATION]: String(nodesOf(spec)) }),
    ...(server.referencesHash !== undefined && { 'trunnion.dev/references': server.referencesHash }),
  };
  const template: PodTemplate = {
    metadata: { labels, annotations },
    spec: podSpec(server),
  };
  const merged = mergePodTemplate(template, patchFor(server));
  return { ...merged, spec: secure(merged.spec, spec.security, name) };
}

/** What the user says of the container that fetches is about the fetch Job, where there is one: see parts/weights/pod.ts. */
function patchFor({ spec: { podTemplate = {} }, model }: Server): PodTemplatePatch {
  if (!model.initContainers.some(({ name }) => name === WAIT)) return podTemplate;
  const { initContainers = [], ...rest } = podTemplate.spec ?? {};
  const others = initContainers.filter(({ name }) => name !== FETCH);
  return { ...podTemplate, spec: { ...rest, ...(others.length > 0 && { initContainers: others }) } };
}

/** The ports of the server: what the Service offers, and the one for metrics where it is another. */
export function portsOf(spec: ModelServingSpec): readonly { readonly name: string; readonly port: number }[] {
  const { grpcPort, metrics } = engineOf(spec);
  return [
    { name: 'http', port: portOf(spec) },
    ...(grpcPort === undefined ? [] : [{ name: 'grpc', port: grpcPort }]),
    ...(metrics?.port === undefined ? [] : [{ name: 'metrics', port: metrics.port }]),
  ];
}

function podSpec({ name, spec, model, pinnedImage, role }: Server): PodSpec {
  const nodeSelector = { ...acceleratorNodeSelector(spec.resources), ...spec.nodeSelector };
  const tolerations = [...acceleratorTolerations(spec.resources), ...(spec.tolerations ?? [])];
  const affinity = role && groupAffinity(name, spec);
  const image = engineImageOf(spec, pinnedImage);
  return {
    ...(model.initContainers.length > 0 && { initContainers: model.initContainers }),
    containers: [
      role === 'worker' ? workerContainer(name, spec, model, image) : serverContainer(name, spec, model, image, role),
    ],
    volumes: [...model.volumes, ...HOME_VOLUMES, SHARED_MEMORY_VOLUME],
    // A worker has no requests of its own: where its leader stops, the LeaderWorkerSet lets it run until the leader is gone.
    terminationGracePeriodSeconds:
      role === 'worker' ? WORKER_GRACE_SECONDS : gracePeriodSeconds(spec.drain.timeoutSeconds),
    ...(affinity && { affinity }),
    ...(spec.imagePullSecrets && { imagePullSecrets: spec.imagePullSecrets }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(spec.priorityClassName !== undefined && { priorityClassName: spec.priorityClassName }),
    ...(spec.runtimeClassName !== undefined && { runtimeClassName: spec.runtimeClassName }),
  };
}

/** What every process of an engine runs in, whether it answers requests or only computes. */
const engineContainer = (
  name: string,
  spec: ModelServingSpec,
  model: ModelMount,
  image: string,
  role: GroupMember['role'] | undefined,
): Container => ({
  name: SERVER,
  image,
  ...commandOf(name, spec, model.path, role),
  env: envOf(name, spec, model.path, HOME_ENV, role),
  resources: resourceRequirements(spec.resources),
  volumeMounts: [...model.mounts, ...HOME_MOUNTS, SHARED_MEMORY_MOUNT],
  // The last words of a server that crashes, where an operator finds them.
  terminationMessagePolicy: 'FallbackToLogsOnError',
});

function serverContainer(
  name: string,
  spec: ModelServingSpec,
  model: ModelMount,
  image: string,
  role: GroupMember['role'] | undefined,
): Container {
  const { ready, alive } = healthOf(name, spec);
  return {
    ...engineContainer(name, spec, model, image, role),
    ports: portsOf(spec).map(({ name: portName, port }): ContainerPort => ({
      name: portName,
      containerPort: port,
      protocol: 'TCP',
    })),
    ...probes(ready, alive, STARTUP_BUDGET),
    lifecycle: lifecycleOf(spec),
  };
}

/** It takes no requests, and has none to end. Where it says nothing of itself, its leader is not ready without it. */
function workerContainer(name: string, spec: ModelServingSpec, model: ModelMount, image: string): Container {
  const container = engineContainer(name, spec, model, image, 'worker');
  if (engineOf(spec).workersAnswer !== true) return container;
  const { ready, alive } = healthOf(name, spec);
  const ports: readonly ContainerPort[] = [{ name: 'http', containerPort: portOf(spec), protocol: 'TCP' }];
  return { ...container, ports, ...probes(ready, alive, STARTUP_BUDGET) };
}

/**
 * Seconds that a worker has to end: it has no requests. One that has failed was started again by its node just before its group is
 * made again, hears no SIGTERM while it loads Python (seen with vLLM 0.32.0), and holds up the whole group for as long.
 */
const WORKER_GRACE_SECONDS = 5;

/** Read by the scrape configuration that comes with Prometheus' own charts. */
function scrapeAnnotations(spec: ModelServingSpec): Readonly<Record<string, string>> {
  const { metrics } = engineOf(spec);
  if (!metrics) return {};
  return {
    'prometheus.io/scrape': 'true',
    'prometheus.io/port': String(metrics.port ?? portOf(spec)),
    'prometheus.io/path': metrics.path,
  };
}
