import type { Json, JsonObject } from '../../../constructs/schema/json.ts';

const variables = [
  { name: 'PLAIN', value: 'a' },
  { name: 'FROM_SECRET', valueFrom: { secretKeyRef: { name: 'tokens', key: 'token', optional: true } } },
  { name: 'FROM_MAP', valueFrom: { configMapKeyRef: { name: 'settings', key: 'region', optional: true } } },
  { name: 'FROM_POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
];

const labelSelector = {
  matchLabels: { app: 'cache' },
  matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }],
};
const neighbours = { labelSelector, topologyKey: 'topology.kubernetes.io/zone' };
const neighbourhood = {
  requiredDuringSchedulingIgnoredDuringExecution: [neighbours],
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm: neighbours }],
};
const nodes = {
  matchExpressions: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }],
  matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['broken'] }],
};

const filesAt = (path: string) => [{ key: 'a', path, mode: 0o400 }];
const podFiles = [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' }, mode: 0o400 }];

const volumes = [
  { name: 'map', configMap: { name: 'settings', items: filesAt('b/c'), defaultMode: 0o440, optional: true } },
  { name: 'secret', secret: { secretName: 'tokens', items: filesAt('b/c'), defaultMode: 0o440, optional: true } },
  { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
  { name: 'claim', persistentVolumeClaim: { claimName: 'data', readOnly: true } },
  {
    name: 'all',
    projected: {
      sources: [
        { configMap: { name: 'settings', items: filesAt('map/c'), optional: true } },
        { secret: { name: 'tokens', items: filesAt('secret/c'), optional: true } },
        { downwardAPI: { items: podFiles } },
      ],
      defaultMode: 0o440,
    },
  },
  { name: 'pod', downwardAPI: { items: podFiles, defaultMode: 0o440 } },
];

const times = { initialDelaySeconds: 1, periodSeconds: 5, timeoutSeconds: 2, successThreshold: 1, failureThreshold: 3 };

/** A container that is probed in one way at all times. */
const probed = (name: string, action: JsonObject): JsonObject => ({
  name,
  image: 'docker.io/library/proxy:1',
  startupProbe: { ...action, ...times },
  readinessProbe: { ...action, ...times },
  livenessProbe: { ...action, ...times },
});

/** One for each way of probing. */
const probedIn = (prefix: string): readonly JsonObject[] => [
  probed(`${prefix}http`, { httpGet: { path: '/live', port: 9901, scheme: 'HTTPS' } }),
  probed(`${prefix}tcp`, { tcpSocket: { port: 9902 } }),
  probed(`${prefix}grpc`, { grpc: { port: 9903, service: 'health' } }),
  probed(`${prefix}exec`, { exec: { command: ['true'] } }),
];

const contents = {
  imagePullPolicy: 'IfNotPresent',
  command: ['/bin/side'],
  args: ['--quiet'],
  workingDir: '/srv',
  env: variables,
  envFrom: [
    { prefix: 'A_', configMapRef: { name: 'settings', optional: true } },
    { prefix: 'B_', secretRef: { name: 'tokens', optional: true } },
  ],
  ports: [{ name: 'admin', containerPort: 9901, protocol: 'TCP' }],
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '2', memory: '1Gi' } },
  volumeMounts: [{ name: 'scratch', mountPath: '/scratch', subPath: 'a', readOnly: true }],
};

/** All that `podTemplate` may say. */
const podTemplate = {
  metadata: { labels: { 'example.com/team': 'a' }, annotations: { 'example.com/note': 'any "text"' } },
  spec: {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodes] },
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, preference: nodes }],
      },
      podAffinity: neighbourhood,
      podAntiAffinity: neighbourhood,
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector,
        minDomains: 1,
        nodeAffinityPolicy: 'Honor',
        nodeTaintsPolicy: 'Honor',
      },
    ],
    schedulerName: 'other-scheduler',
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['10.0.0.1'], searches: ['example.com'], options: [{ name: 'ndots', value: '2' }] },
    hostAliases: [{ ip: '10.0.0.1', hostnames: ['models.example.com'] }],
    terminationGracePeriodSeconds: 3600,
    volumes,
    containers: [{ name: 'side', image: 'docker.io/library/side:1', ...contents }, ...probedIn('')],
    initContainers: [
      { name: 'first', image: 'docker.io/library/first:1', ...contents },
      { name: 'native', image: 'docker.io/library/native:1', restartPolicy: 'Always' },
      ...probedIn('native-').map((each) => ({ ...each, restartPolicy: 'Always' })),
    ],
  },
};

/** Every field that the pods of every kind have. */
export const everyPodField = {
  env: variables,
  imagePullSecrets: [{ name: 'registry' }],
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [
    { key: 'team', operator: 'Equal', value: 'a', effect: 'NoExecute', tolerationSeconds: 60 },
    { key: 'spot', operator: 'Exists' },
  ],
  priorityClassName: 'system-node-critical',
  runtimeClassName: 'sandboxed',
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/reader' } },
  security: { level: 'baseline', runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000, supplementalGroups: [44] },
  egress: [
    { cidr: '10.0.0.0/8', ports: [443] },
    { cidr: '2001:db8::/32' },
    { namespace: 'telemetry', podLabels: { app: 'collector' }, ports: [4317] },
    { hosts: ['api.example.com', '*.example.org'], ports: [443] },
  ],
  podTemplate,
} satisfies JsonObject;

const DIGEST = `sha256:${'a'.repeat(64)}`;

/** More values of the fields that the pods of every kind have. */
export const podValues: Readonly<Record<string, readonly Json[]>> = {
  '.image': [`registry.example.com:5000/team/image@${DIGEST}`, 'UPPER/case:tag', 'a b', 'image@sha256:12', '-image'],
  '.cidr': ['192.168.0.0/16', '0.0.0.0/0', '::/0', '169.254.0.0/16', '10.0.0.0/33', '10.0.0.1', '010.0.0.0/8'],
  '.hosts[]': [
    'api.openai.com',
    '**.example.com',
    'a*.example.com',
    '*',
    '10.0.0.1',
    '*example.com',
    'a.b.svc',
    '*.google.internal',
  ],
  '.ip': ['10.0.0.2', '2001:db8::1', '10.0.0.256', '::ffff:10.0.0.1', '010.0.0.1'],
  '.nameservers[]': ['10.0.0.2', '2001:db8::1', 'dns.example.com'],
  '.fieldPath': ['metadata.namespace', "metadata.annotations['example.com/note']", 'status.hostIP', 'spec'],
  '.mountPath': ['/other', 'relative', '/with:colon'],
  '.path': ['other', '/absolute', 'a/../b'],
  '.subPath': ['b/c', '/absolute', '../up'],
  '.httpGet.port': [9904, 'admin', '1234', 'No_Name'],
  '.tcpSocket.port': [9904, 'admin'],
  '.terminationGracePeriodSeconds': [3601],
  '.ports[].name': ['web', '123', 'UPPER', 'a--b'],
  '.containers[].name': ['wait', 'fetch', 'server', 'trainer', 'agent', 'http'],
  '.initContainers[].name': ['wait', 'fetch', 'server', 'trainer', 'agent', 'http'],
  '.env[].name': ['HOME', 'MODEL_NAME', 'TRUNNION_X', 'lower.case-name', '1ST', 'A=B'],
  // Containers of the workload itself, as far as it has them.
  '.podTemplate.spec.initContainers': [[{ name: 'wait' }], [{ name: 'fetch' }], [{ name: 'other' }]],
  '.podTemplate.spec.containers': [[{ name: 'server' }], [{ name: 'trainer' }], [{ name: 'agent' }]],
  '.volumes[].name': ['weights', 'tmp', 'checkpoint', 'UPPER'],
};
