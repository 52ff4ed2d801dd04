import type { Manifest } from '../workload.ts';
import {
  autoscaler,
  deploymentTarget,
  disruptionBudget,
  prometheusTrigger,
  rollingUpdate,
} from '../parts/scaling/index.ts';
import type { Backend } from '../parts/network/index.ts';
import { identityLabels, labelsOf, selectorLabels, workloadSelector, namedLabels } from '../parts/objects/index.ts';
import type { Identity, Labels, PodTemplate } from '../parts/objects/index.ts';
import { additionalEgress, declaredEgress, networkPolicy } from '../parts/network/index.ts';
import { rolloutBudget } from '../parts/pod/index.ts';
import {
  fetchContainer,
  fetchEgress,
  fetchIdentity,
  fetchVariables,
  waitContainer,
  weightsMounts,
  weightsPath,
  weightsVolumes,
} from '../parts/weights/index.ts';
import type { GroupMember } from './engine.ts';
import { groupTarget, hasGroups, leaderWorkerSet, memberSelector, workerLabels, workerSelector } from './group.ts';
import { isGrouped, portOf } from './launch.ts';
import { hasWeights, isInEngineImage, isSingleMount, KIND_LABEL, weightsInput } from './render-input.ts';
import type { RenderInput } from './render-input.ts';
import { BEHAVIOR, metricNamesOf, queriesOf, takesKeda } from './scaling.ts';
import { portsOf, serverTemplate } from './server.ts';
import type { ModelMount } from './server.ts';
import type { ModelServingSpec } from './spec.ts';

const identityOf = (name: string, component: 'server' | 'fetcher'): Identity => ({ kind: KIND_LABEL, name, component });

/** What selects the pods that serve. */
export const serverSelector = (name: string): Labels => selectorLabels(identityOf(name, 'server'));

/** What selects all pods: those that serve, and those that fetch. */
export const podSelector = (name: string): Labels => workloadSelector({ kind: KIND_LABEL, name });

/** Of an object that bears the workload's own name. */
export const ownMetadata = ({ name, namespace, naming }: RenderInput): Manifest['metadata'] => ({
  name,
  namespace,
  labels: namedLabels(labelsOf(identityOf(name, 'server')), naming),
});

/** Lets requests in; lets out what is declared. */
export const serverNetworkPolicy = (input: RenderInput): Manifest =>
  networkPolicy(ownMetadata(input), serverSelector(input.name), {
    ingressPorts: [...new Set([input.pods, input.spec].flatMap(portsOf).map(({ name }) => name))],
    ...(hasGroups(input) && { peers: podSelector(input.name) }),
    egress: declaredEgress(input.spec.egress ?? []),
  });

/** Lets nobody in but the other pods of the resource: ranks talk with each other on ports that they choose as they start. */
export const workerNetworkPolicy = (input: RenderInput): Manifest => {
  const { name, namespace, spec } = input;
  return networkPolicy({ name: `${name}-worker`, namespace, labels: workerLabels(input) }, workerSelector(name), {
    ingressPorts: [],
    peers: podSelector(name),
    egress: declaredEgress(spec.egress ?? []),
  });
};

/**
 * Lets out what the servers' own fetch needs. It is a policy of its own, which stays when it is closed: who opens it again
 * must not find its name taken by then.
 */
export const fetchNetworkPolicy = (input: RenderInput): Manifest => {
  const { name, spec, pods, state } = input;
  const isOpen = (state.fetchEgress ?? 'open') === 'open';
  return additionalEgress(
    { ...ownMetadata(input), name: `${name}-fetch` },
    serverSelector(name),
    'fetch',
    isOpen ? [...new Set([pods, spec])].filter(isSingleMount).flatMap((each) => egressOf(input, each)) : [],
  );
};

/** Lets nothing in; lets out what is declared and what the fetch needs. */
export const fetcherNetworkPolicy = (input: RenderInput): Manifest => {
  const { name, namespace, spec } = input;
  const fetcher = identityOf(name, 'fetcher');
  return networkPolicy({ name: `${name}-fetcher`, namespace, labels: labelsOf(fetcher) }, selectorLabels(fetcher), {
    ingressPorts: [],
    egress: [...declaredEgress(spec.egress ?? []), ...egressOf(input, spec)],
  });
};

/** What the fetch of a spec must reach, by the variables that it has. */
const egressOf = (input: RenderInput, spec: ModelServingSpec) =>
  fetchEgress(spec, fetchVariables(weightsInput(input, spec)));

export const deployment = (input: RenderInput, replicas: number | undefined): Manifest => {
  const { name, spec, pods, earlier } = input;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: ownMetadata(input),
    spec: {
      ...(replicas !== undefined && { replicas }),
      selector: { matchLabels: serverSelector(name) },
      // A new model has a volume of its own, so that even there one more replica may start first.
      strategy: rollingUpdate(spec.rollout ?? {}, isSingleMount(pods) && (pods !== spec || earlier === undefined)),
      progressDeadlineSeconds: rolloutBudget(pods.storage?.size),
      template: templateOf(input),
    },
  };
};

/** Replicas of several pods each. */
export const groups = (input: RenderInput, replicas: number | undefined): Manifest =>
  leaderWorkerSet(input, ownMetadata(input), replicas, (role) => templateOf(input, role));

/** Drains a node one replica at a time; of groups, one pod at a time of one group, which starts again as a whole. */
export const budget = (input: RenderInput): Manifest =>
  disruptionBudget(
    ownMetadata(input),
    hasGroups(input) ? memberSelector(input.name) : { matchLabels: serverSelector(input.name) },
  );

function templateOf(input: RenderInput, role?: GroupMember['role']): PodTemplate {
  const { name, pods, state, naming } = input;
  const labels = role === 'worker' ? workerLabels(input) : namedLabels(labelsOf(identityOf(name, 'server')), naming);
  return serverTemplate({
    name,
    spec: pods,
    role,
    labels: {
      ...labels,
      // Who waits for a Job has no use for an identity.
      ...(isSingleMount(pods) && identityLabels(fetchIdentity(pods))),
    },
    model: modelMount(input, pods),
    pinnedImage: state.images?.engine,
    referencesHash: state.referencesHash,
  });
}

export const service = (input: RenderInput): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: ownMetadata(input),
  spec: {
    selector: serverSelector(input.name),
    ports: portsOf(input.spec).map(({ name, port }) => ({ name, port, targetPort: name, protocol: 'TCP' })),
  },
});

export const scaler = (input: RenderInput, autoscaling: NonNullable<ModelServingSpec['autoscaling']>): Manifest => {
  const { name, namespace, spec, pods } = input;
  const { minReplicas, maxReplicas, targets, prometheus } = autoscaling;
  // While weights are fetched, it is the earlier engine that publishes.
  const metrics = { ...metricNamesOf(spec), ...metricNamesOf(pods) };
  return autoscaler(ownMetadata(input), {
    target: isGrouped(pods) ? groupTarget(name) : deploymentTarget(name),
    minReplicas,
    maxReplicas,
    cpuPercent: targets.cpuPercent,
    triggers:
      prometheus && takesKeda(autoscaling)
        ? queriesOf({ name, namespace, targets, metrics }).map((query) => prometheusTrigger(prometheus, query, name))
        : [],
    behavior: BEHAVIOR,
  });
};

export const backendOf = ({ name, spec }: RenderInput): Backend => ({ name, port: portOf(spec) });

function modelMount(input: RenderInput, pods: ModelServingSpec): ModelMount {
  if (isInEngineImage(pods)) return { path: `/${pods.model.file ?? ''}`, volumes: [], mounts: [], initContainers: [] };
  const weights = weightsInput(input, pods);
  const bring = isSingleMount(pods) ? fetchContainer(weights, 'server') : waitContainer(weights);
  return {
    path: weightsPath(pods.model),
    volumes: weightsVolumes(weights),
    mounts: weightsMounts(pods.model.uri),
    initContainers: hasWeights(pods) ? [bring] : [],
  };
}
