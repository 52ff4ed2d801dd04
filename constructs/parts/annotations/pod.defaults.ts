import { type AnnotationGroup, under } from './group.ts';
import {
  BOOLEAN,
  DURATION,
  INTEGER,
  NAME,
  NAMES,
  NUMBER,
  PATH,
  PORT,
  PORTS,
  QUANTITY,
  type ValueForm,
  oneOf,
} from './values.ts';

/** Any text. That it has no control characters is seen to for every annotation. */
const TEXT: ValueForm = { pattern: /^/, allowed: 'any text' };

const TIME: ValueForm = {
  pattern: /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,18}(Z|[+-][0-9]{2}:[0-9]{2})$/,
  allowed: 'a time, for instance 2026-11-01T12:00:00Z',
};

const TOPOLOGY: ValueForm = {
  pattern: /^[a-z0-9A-Z][-a-z0-9A-Z_./]{0,316}$/,
  allowed: 'the name of a label of nodes, for instance topology.kubernetes.io/zone',
};

const kubernetes: AnnotationGroup = {
  reader: 'kubectl, Helm and Kubernetes itself',
  source: 'https://kubernetes.io/docs/reference/labels-annotations-taints/',
  why: 'They say which container is meant, start pods again, or limit what the own pod may use. Left out are profiles, sysctls, and what makes a pod a mirror of a static one.',
  keys: {
    'kubectl.kubernetes.io/default-container': NAME,
    'kubectl.kubernetes.io/restartedAt': TIME,
    'checksum/*': { pattern: /^[A-Za-z0-9+/=_:.-]{1,256}$/, allowed: 'a checksum' },
    'controller.kubernetes.io/pod-deletion-cost': INTEGER,
    'kubernetes.io/egress-bandwidth': QUANTITY,
    'kubernetes.io/ingress-bandwidth': QUANTITY,
  },
};

const prometheus: AnnotationGroup = {
  reader: 'Prometheus',
  source:
    'https://github.com/prometheus-community/helm-charts/tree/main/charts/prometheus#scraping-pod-metrics-via-annotations',
  why: "Where the pod's own metrics are. Configuration of other monitors (ad.datadoghq.com, co.elastic.logs) is left out: an agent of the node runs what stands there.",
  keys: under('prometheus.io', {
    path: PATH,
    port: PORT,
    scheme: oneOf('http', 'https'),
    scrape: BOOLEAN,
  }),
};

const scheduling: AnnotationGroup = {
  reader: 'Cluster Autoscaler, Karpenter, descheduler and Kueue',
  source: 'https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md',
  why: 'Whether this pod may be moved, and where its group is placed. Groups of pods themselves are made by Trunnion.',
  keys: {
    'cluster-autoscaler.kubernetes.io/pod-scale-up-delay': DURATION,
    'cluster-autoscaler.kubernetes.io/safe-to-evict': BOOLEAN,
    'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes': NAMES,
    'descheduler.alpha.kubernetes.io/evict': BOOLEAN,
    'descheduler.alpha.kubernetes.io/prefer-no-eviction': BOOLEAN,
    'karpenter.sh/do-not-disrupt': { pattern: /^(true|false|[0-9]{1,6}[smh])$/, allowed: '"true", "false" or a time' },
    ...under('kueue.x-k8s.io', {
      'podset-preferred-topology': TOPOLOGY,
      'podset-required-topology': TOPOLOGY,
      'podset-unconstrained-topology': BOOLEAN,
    }),
  },
};

const istio: AnnotationGroup = {
  reader: 'Istio',
  source: 'https://istio.io/latest/docs/reference/config/annotations/',
  why: 'Whether this pod has a proxy, what the proxy may use, and which of its own ports go through it: a NetworkPolicy still holds. Left out are images, templates, volumes and configuration of the proxy, whose init container has rights that no workload has.',
  keys: {
    ...under('sidecar.istio.io', {
      inject: BOOLEAN,
      nativeSidecar: BOOLEAN,
      proxyCPU: QUANTITY,
      proxyCPULimit: QUANTITY,
      proxyMemory: QUANTITY,
      proxyMemoryLimit: QUANTITY,
    }),
    ...under('traffic.sidecar.istio.io', {
      excludeInboundPorts: PORTS,
      excludeOutboundPorts: PORTS,
      includeInboundPorts: { pattern: /^([*]|[0-9]{1,5}(,[0-9]{1,5}){0,63})$/, allowed: '* or numbers of ports' },
    }),
  },
};

const linkerd: AnnotationGroup = {
  reader: 'Linkerd',
  source: 'https://linkerd.io/2/reference/proxy-configuration/',
  why: 'The same for its proxy. Left out are images, user ids, the debug container, and what makes the init container privileged.',
  keys: {
    'linkerd.io/inject': oneOf('enabled', 'disabled', 'ingress'),
    'config.alpha.linkerd.io/proxy-wait-before-exit-seconds': NUMBER,
    'config.alpha.linkerd.io/proxy-enable-native-sidecar': BOOLEAN,
    'config.beta.linkerd.io/proxy-enable-native-sidecar': BOOLEAN,
    ...under('config.linkerd.io', {
      'opaque-ports': PORTS,
      'proxy-cpu-limit': QUANTITY,
      'proxy-cpu-request': QUANTITY,
      'proxy-memory-limit': QUANTITY,
      'proxy-memory-request': QUANTITY,
      'skip-inbound-ports': PORTS,
      'skip-outbound-ports': PORTS,
    }),
  },
};

const openTelemetry: AnnotationGroup = {
  reader: 'OpenTelemetry Operator',
  source: 'https://opentelemetry.io/docs/platforms/kubernetes/operator/automatic/',
  why: 'Tracing by what the namespace has for it. An Instrumentation of another namespace, and inject-go, whose container is privileged, are left out.',
  keys: {
    'sidecar.opentelemetry.io/inject': BOOLEAN,
    ...under('instrumentation.opentelemetry.io', {
      'container-names': NAMES,
      'inject-dotnet': BOOLEAN,
      'inject-java': BOOLEAN,
      'inject-nodejs': BOOLEAN,
      'inject-python': BOOLEAN,
      'inject-sdk': BOOLEAN,
    }),
  },
};

const storage: AnnotationGroup = {
  reader: 'Cloud Storage FUSE and Parallelstore of GKE',
  source: 'https://cloud.google.com/kubernetes-engine/docs/how-to/cloud-storage-fuse-csi-driver-sidecar',
  why: 'Mounts of the own pod, and what the sidecar for them may use. Networks and devices of nodes (networking.gke.io/interfaces, devices.gke.io/…) are left out.',
  keys: {
    'gke-parallelstore/cpu-limit': QUANTITY,
    'gke-parallelstore/memory-limit': QUANTITY,
    'gke-parallelstore/volumes': BOOLEAN,
    ...under('gke-gcsfuse', {
      'cpu-limit': QUANTITY,
      'cpu-request': QUANTITY,
      'ephemeral-storage-limit': QUANTITY,
      'ephemeral-storage-request': QUANTITY,
      'memory-limit': QUANTITY,
      'memory-request': QUANTITY,
      volumes: BOOLEAN,
    }),
  },
};

const identity: AnnotationGroup = {
  reader: 'Azure Workload Identity',
  source: 'https://azure.github.io/azure-workload-identity/docs/topics/service-account-labels-and-annotations.html',
  why: 'How long the token of the own ServiceAccount lasts. The proxy sidecar is left out: its init container changes the network.',
  keys: under('azure.workload.identity', {
    'service-account-token-expiration': NUMBER,
    'skip-containers': {
      pattern: /^[a-z0-9][-a-z0-9;]{0,252}$/,
      allowed: 'names of containers with semicolons between them',
    },
  }),
};

const simulation: AnnotationGroup = {
  reader: 'the simulated nodes of `trunnion cluster`',
  source: 'https://kwok.sigs.k8s.io/docs/user/stages-configuration/',
  why: 'How a simulated pod behaves. Nothing else reads them.',
  keys: { 'sim.trunnion.dev/*': TEXT },
};

/** What is read of pods. Networks beside that of the cluster, and the container runtime's own, are left out. */
export const POD_GROUPS: readonly AnnotationGroup[] = [
  kubernetes,
  prometheus,
  scheduling,
  istio,
  linkerd,
  openTelemetry,
  storage,
  identity,
  simulation,
];
