import {
  acceleratorNodeSelector,
  acceleratorTolerations,
  HOME_VOLUMES,
  secure,
  mergePodTemplate,
} from '../pod/index.ts';
import type { Security, PodTemplatePatch } from '../pod/index.ts';
import { identityLabels } from '../objects/index.ts';
import type { Container, PodSpec, PodTemplate } from '../objects/index.ts';
import { fetchContainer } from './containers.ts';
import { fetchIdentity } from './egress.ts';
import { userVolumes } from './equipment.ts';
import type { WeightsInput, WeightsSpec } from './input.ts';
import { FETCH } from './layout.ts';
import { fetcherLabels, weightsVolumes } from './volumes.ts';

/**
 * Has the proxy of a mesh end with the fetch: a Job is complete once all its ordinary containers have ended. Istio from 1.24
 * on, Linkerd to 2.18 and from 2.19 on; who has no mesh has no reader of them.
 */
const NATIVE_SIDECARS = {
  'sidecar.istio.io/nativeSidecar': 'true',
  'config.alpha.linkerd.io/proxy-enable-native-sidecar': 'true',
  'config.beta.linkerd.io/proxy-enable-native-sidecar': 'true',
};

/** Annotations that are about the server or a container of it, by their domain. A fetch publishes no metrics. */
const ABOUT_SERVERS = ['prometheus.io', 'container.apparmor.security.beta.kubernetes.io'];

/** Fields of `podTemplate.spec` that say how any pod of the workload runs. */
const OF_EVERY_POD = ['schedulerName', 'dnsPolicy', 'dnsConfig', 'hostAliases'] as const;

/**
 * The pod of a fetch Job. It is placed as the server is, since its volume may be made for the node that it first runs on,
 * and equipped with what the server has for the network that it is in.
 */
export function fetchPod(input: WeightsInput): PodTemplate {
  const { spec, name } = input;
  const labels = { ...fetcherLabels(input), ...identityLabels(fetchIdentity(spec)) };
  const own: PodTemplate = { metadata: { labels, annotations: NATIVE_SIDECARS }, spec: ownSpec(input) };
  const merged = mergePodTemplate(own, patchOf(spec));
  const volumes = [...(merged.spec.volumes ?? []), ...mountedVolumes(spec, merged.spec.containers)];
  return { ...merged, spec: secure({ ...merged.spec, volumes }, securityOf(spec), name) };
}

/**
 * Our own program needs no more than `restricted`, whatever the server is allowed. It has the server's numbers, so that the
 * one may read what the other wrote, and the cluster takes both; but it is never root.
 */
function securityOf({ security }: WeightsSpec): Security {
  const { runAsUser, ...rest } = security ?? {};
  return { ...rest, level: 'restricted', ...(runAsUser !== undefined && runAsUser !== 0 && { runAsUser }) };
}

function ownSpec(input: WeightsInput): PodSpec {
  const { spec } = input;
  const { imagePullSecrets, priorityClassName, runtimeClassName, resources } = spec;
  const nodeSelector = { ...(resources && acceleratorNodeSelector(resources)), ...spec.nodeSelector };
  const tolerations = [...(resources ? acceleratorTolerations(resources) : []), ...(spec.tolerations ?? [])];
  // Beside GPUs it is the one that hands them out, and a node without them need not have it.
  const isForGpus = (resources?.gpu ?? 0) > 0;
  return {
    containers: [fetchContainer(input, 'job')],
    restartPolicy: 'Never',
    volumes: [...weightsVolumes(input), ...HOME_VOLUMES],
    ...(imagePullSecrets && { imagePullSecrets }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(runtimeClassName !== undefined && !isForGpus && { runtimeClassName }),
  };
}

/**
 * What of the user's patch is about a fetch. Neighbours are not: a fetch that had to run beside a server would wait for what
 * waits for it. Other containers are not: they would keep the Job from being complete.
 */
function patchOf({ podTemplate = {} }: WeightsSpec): PodTemplatePatch {
  const { metadata = {}, spec = {} } = podTemplate;
  const { nodeAffinity } = (spec['affinity'] ?? {}) as { readonly nodeAffinity?: unknown };
  const container = spec.initContainers?.find(({ name }) => name === FETCH);
  const taken = OF_EVERY_POD.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]]));
  return {
    metadata: {
      ...(metadata.labels && { labels: metadata.labels }),
      ...(metadata.annotations && { annotations: annotationsFor(metadata.annotations) }),
    },
    spec: {
      ...(Object.fromEntries(taken) as Readonly<Record<string, unknown>>),
      ...(nodeAffinity !== undefined && { affinity: { nodeAffinity } }),
      ...(container && { containers: [container] }),
    },
  };
}

const annotationsFor = (annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !ABOUT_SERVERS.some((domain) => key.startsWith(`${domain}/`))),
  );

/** The volumes of the user that are mounted; one that isn't could keep the pod from a node for nothing. */
function mountedVolumes({ podTemplate }: WeightsSpec, containers: readonly Container[]) {
  const mounted = new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)));
  return userVolumes(podTemplate).filter(({ name }) => mounted.has(name));
}
