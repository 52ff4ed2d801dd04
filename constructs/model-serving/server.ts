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
import { commandOf, engineImageOf, engineOf, envOf, healthOf, lifecycleOf, portOf } from './launch.ts';
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
}

/** The template of the pods that serve. */
export function serverTemplate(server: Server): PodTemplate {
  const { name, spec, labels } = server;
  const annotations = {
    ...scrapeAnnotations(spec),
    // Which model a pod has, for anyone who looks at pods while one model takes the place of another.
    [WEIGHTS_ANNOTATION]: weightsKey(spec.model),
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

function podSpec({ name, spec, model, pinnedImage }: Server): PodSpec {
  const nodeSelector = { ...acceleratorNodeSelector(spec.resources), ...spec.nodeSelector };
  const tolerations = [...acceleratorTolerations(spec.resources), ...(spec.tolerations ?? [])];
  return {
    ...(model.initContainers.length > 0 && { initContainers: model.initContainers }),
    containers: [serverContainer(name, spec, model, engineImageOf(spec, pinnedImage))],
    volumes: [...model.volumes, ...HOME_VOLUMES, SHARED_MEMORY_VOLUME],
    terminationGracePeriodSeconds: gracePeriodSeconds(spec.drain.timeoutSeconds),
    ...(spec.imagePullSecrets && { imagePullSecrets: spec.imagePullSecrets }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(spec.priorityClassName !== undefined && { priorityClassName: spec.priorityClassName }),
    ...(spec.runtimeClassName !== undefined && { runtimeClassName: spec.runtimeClassName }),
  };
}

function serverContainer(name: string, spec: ModelServingSpec, model: ModelMount, image: string): Container {
  const { ready, alive } = healthOf(name, spec);
  return {
    name: SERVER,
    image,
    ...commandOf(name, spec, model.path),
    env: envOf(name, spec, model.path, HOME_ENV),
    ports: portsOf(spec).map(({ name: portName, port }): ContainerPort => ({
      name: portName,
      containerPort: port,
      protocol: 'TCP',
    })),
    resources: resourceRequirements(spec.resources),
    ...probes(ready, alive, STARTUP_BUDGET),
    lifecycle: lifecycleOf(spec),
    volumeMounts: [...model.mounts, ...HOME_MOUNTS, SHARED_MEMORY_MOUNT],
    // The last words of a server that crashes, where an operator finds them.
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

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
