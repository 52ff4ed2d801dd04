import type { CommonStatus } from '../../../operator/engine/api/index.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import type { Check, Observed } from '../types.ts';

/** Something that only some specs need. */
interface Extension {
  readonly about: string;
  /** Any of these versions is served where it is installed. */
  readonly versions: readonly string[];
  /** Reason of the condition of resources that wait for it; empty where none does. */
  readonly reason: string;
  /** What needs it. */
  readonly for: string;
  readonly install: string;
  /**
   * What else it takes, where it is installed.
   *
   * @default - nothing
   */
  readonly beside?: (observed: Observed) => readonly Check[];
}

const EXTENSIONS: readonly Extension[] = [
  {
    about: 'Metrics',
    versions: ['metrics.k8s.io/v1beta1', 'metrics.k8s.io/v1'],
    reason: '',
    for: 'autoscaling by cpuPercent',
    install: 'metrics-server',
  },
  {
    about: 'KEDA',
    versions: ['keda.sh/v1alpha1'],
    reason: 'KedaNotInstalled',
    for: 'autoscaling by anything but cpuPercent, and down to zero',
    install: 'KEDA, and a Prometheus that it can ask',
  },
  {
    about: 'Gateway API',
    versions: ['gateway.networking.k8s.io/v1'],
    reason: 'GatewayApiNotInstalled',
    for: 'expose.gateway',
    install: 'the CRDs of the Gateway API, and an implementation',
    beside: ({ gatewayClasses }) => checkEntrance('Gateway API', 'gateway class', gatewayClasses, 'expose.gateway'),
  },
  {
    about: 'Cilium',
    versions: ['cilium.io/v2'],
    reason: 'CiliumNotInstalled',
    for: 'egress by host names (egress[].hosts)',
    install: 'Cilium as the network plugin, or declare addresses',
  },
  {
    about: 'Kueue',
    versions: ['kueue.x-k8s.io/v1beta1', 'kueue.x-k8s.io/v1beta2'],
    reason: 'KueueNotInstalled',
    for: 'trainings that wait in a queue for quota (queue)',
    install: 'Kueue',
    beside: (observed) => checkQueues(observed),
  },
  {
    about: 'Volcano',
    versions: ['scheduling.volcano.sh/v1beta1'],
    reason: 'VolcanoNotInstalled',
    for: "gangs by Volcano's scheduler",
    install: 'Volcano, unless Kueue does the same for you',
  },
];

/** Whether what only some specs need is there. That it isn't is a failure only where a resource waits for it. */
export const checkExtensions = (observed: Observed): readonly Check[] => [
  ...EXTENSIONS.flatMap((extension) => checkExtension(extension, observed)),
  ...checkEntrance('Ingress', 'ingress class', observed.ingressClasses, 'expose.ingress'),
];

function checkExtension(extension: Extension, observed: Observed): readonly Check[] {
  const { about, versions, for: what, install, beside } = extension;
  const there = versions.filter((version) => observed.served.has(version));
  if (there.length > 0) {
    return [{ about, verdict: 'ok', found: `${there.join(', ')} is served` }, ...(beside?.(observed) ?? [])];
  }
  const who = whoWaits(extension, observed);
  const found = who === undefined ? 'is not installed' : `is not installed; ${who} for it`;
  const advice = `It is needed for ${what}. Install ${install}.`;
  return [{ about, verdict: who === undefined ? 'warn' : 'fail', found, advice }];
}

/** `ModelServing llama and 2 more wait`; undefined where nobody does. */
function whoWaits({ reason }: Extension, { resources }: Observed): string | undefined {
  const [first, ...more] = resources.known ? resources.value.filter((resource) => reports(resource, reason)) : [];
  if (first === undefined) return undefined;
  const name = `${first.kind} ${first.metadata.name}`;
  return more.length === 0 ? `${name} waits` : `${name} and ${more.length} more wait`;
}

const reports = ({ status }: KubeObject & { readonly status?: CommonStatus }, reason: string): boolean =>
  status?.conditions?.some((condition) => condition.reason === reason) === true;

/** Where Kueue is, it takes a queue to get through it. */
function checkQueues({ served, localQueues, namespace }: Observed): readonly Check[] {
  if (!served.has('kueue.x-k8s.io/v1beta1') || !localQueues.known) return [];
  const about = 'Kueue';
  const names = localQueues.value.map(({ metadata }) => metadata.name);
  if (names.length > 0) return [{ about, verdict: 'ok', found: `queues of ${namespace}: ${names.join(', ')}` }];
  const advice = 'Trainings of it can not wait in a queue. Make one for the namespace.';
  return [{ about, verdict: 'warn', found: `${namespace} has no LocalQueue`, advice }];
}

/** A way in from outside the cluster. */
function checkEntrance(
  about: string,
  what: string,
  classes: Observed['ingressClasses'],
  field: string,
): readonly Check[] {
  if (!classes.known) return [];
  const names = classes.value.map(({ metadata }) => metadata.name);
  if (names.length > 0) return [{ about, verdict: 'ok', found: `${what}: ${names.join(', ')}` }];
  const advice = `Nothing acts on ${field}; services answer inside the cluster. Install a controller if you need it.`;
  return [{ about, verdict: 'warn', found: `there is no ${what}`, advice }];
}
