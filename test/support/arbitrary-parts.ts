import * as fc from 'fast-check';
import type { ModelServingSpecInput } from '../../constructs/model-serving/spec.ts';

/** Amounts, most of them not as the API server would write them. */
export const quantity = fc.constantFrom('40Gi', '1024Mi', '0.5Ti', '1e11', '64G', '1500M', 107_374_182_400);

/** Image references. */
export const image = fc.constantFrom(
  'vllm/vllm-openai:v0.30.0',
  `registry.example.com:5000/team/image@sha256:${'a'.repeat(64)}`,
);

/** The fields that the pods of every kind have. */
type PodFields = Pick<
  ModelServingSpecInput,
  | 'env'
  | 'imagePullSecrets'
  | 'nodeSelector'
  | 'tolerations'
  | 'priorityClassName'
  | 'runtimeClassName'
  | 'serviceAccount'
  | 'security'
  | 'egress'
  | 'podTemplate'
>;

const env = fc.uniqueArray(
  fc.constantFrom(
    { name: 'HTTPS_PROXY', value: 'http://proxy.example.com:3128' },
    { name: 'EMPTY' },
    { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'tokens', key: 'token', optional: true } } },
    { name: 'REGION', valueFrom: { configMapKeyRef: { name: 'settings', key: 'region' } } },
    { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
  ),
  { selector: ({ name }) => name, maxLength: 5 },
);

const tolerations = fc.subarray([
  { key: 'team', operator: 'Equal' as const, value: 'a', effect: 'NoSchedule' as const },
  { key: 'spot', operator: 'Exists' as const },
  {
    key: 'node.kubernetes.io/not-ready',
    operator: 'Exists' as const,
    effect: 'NoExecute' as const,
    tolerationSeconds: 60,
  },
]);

const egress = fc.subarray([
  { cidr: '0.0.0.0/0', ports: [443] },
  { cidr: '10.0.0.0/8' },
  { cidr: '2001:db8::/32', ports: [443, 8443] },
  { namespace: 'telemetry', podLabels: { app: 'collector' }, ports: [4317] },
  { podLabels: { app: 'cache' } },
  { namespace: 'tools' },
  { hosts: ['api.openai.com'] },
  { hosts: ['*.example.com', 'pypi.org'], ports: [443, 8443] },
]);

const volumes = fc.subarray([
  { name: 'settings', configMap: { name: 'settings', items: [{ key: 'a', path: 'b/c' }] } },
  { name: 'certificates', secret: { secretName: 'certificates', defaultMode: 0o400 } },
  { name: 'scratch', emptyDir: { sizeLimit: '1.5Gi' } },
  { name: 'data', persistentVolumeClaim: { claimName: 'data', readOnly: true } },
  { name: 'all', projected: { sources: [{ configMap: { name: 'settings' } }, { secret: { name: 'certificates' } }] } },
  { name: 'about', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
]);

/** @param own - the name of the workload's own container */
const containersBeside = (own: string) =>
  fc.subarray([
    { name: own, env: [{ name: 'EXTRA', value: '1' }], resources: { requests: { 'ephemeral-storage': '10Gi' } } },
    {
      name: 'proxy',
      image: 'docker.io/envoyproxy/envoy:v1.36.0',
      args: ['-c', '/etc/envoy.yaml'],
      ports: [{ name: 'admin', containerPort: 9901 }],
      readinessProbe: { httpGet: { path: '/ready', port: 'admin' }, periodSeconds: 5 },
    },
  ]);

const initContainers = fc.subarray([
  { name: 'warm-up', image: 'docker.io/library/busybox:1.37', command: ['true'] },
  { name: 'mesh', image: 'docker.io/library/mesh:1', restartPolicy: 'Always' as const },
]);

const affinity = fc.constantFrom(
  {},
  {
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { a: 'b' } } },
          },
        ],
      },
    },
    schedulerName: 'default-scheduler',
  },
  {
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' as const },
    ],
    hostAliases: [{ ip: '10.0.0.1', hostnames: ['models.example.com'] }],
    dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
  },
);

const podTemplateWith = (containers: ReturnType<typeof containersBeside>) =>
  fc.record(
    {
      metadata: fc.record(
        {
          labels: fc.constant({ 'example.com/team': 'a' }),
          annotations: fc.constant({ 'example.com/note': 'any "text"' }),
        },
        { requiredKeys: [] },
      ),
      spec: fc
        .tuple(
          affinity,
          fc.record(
            {
              volumes,
              containers,
              initContainers,
              terminationGracePeriodSeconds: fc.integer({ min: 3600, max: 7200 }),
            },
            { requiredKeys: [] },
          ),
        )
        .map(([placed, rest]) => ({ ...placed, ...rest })),
    },
    { requiredKeys: [] },
  );

/**
 * The fields that the pods of every kind have.
 *
 * @param own - the name of the workload's own container
 */
export const podFields = (own: string): fc.Arbitrary<PodFields> =>
  fc.record(
    {
      env,
      imagePullSecrets: fc.subarray([{ name: 'registry' }, { name: 'mirror' }]),
      nodeSelector: fc.constantFrom({}, { 'example.com/pool': 'gpu' }),
      tolerations,
      priorityClassName: fc.constant('system-node-critical'),
      runtimeClassName: fc.constant('nvidia'),
      serviceAccount: fc.constantFrom(
        {},
        { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/reader' } },
        // That of a ModelServing goes with the scheme of its model.
        ...(own === 'server' ? [] : [{ identity: 'azure-workload-identity' as const }]),
      ),
      security: fc.constantFrom(
        {},
        { level: 'restricted' as const },
        { level: 'baseline' as const },
        { level: 'rdma' as const, runAsUser: 0 },
        { ids: 'cluster' as const },
        { runAsUser: 2000, runAsGroup: 0, fsGroup: 2000, supplementalGroups: [44, 109] },
      ),
      egress,
      podTemplate: podTemplateWith(containersBeside(own)),
    },
    { requiredKeys: [] },
  );
