import type { ObjectBody, ResourceType } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';

const LABELS = { 'app.kubernetes.io/name': 'model-serving', 'app.kubernetes.io/instance': 'llama' };
const SELECTOR = { matchLabels: LABELS };

const POD_SPEC = {
  serviceAccountName: 'llama',
  automountServiceAccountToken: false,
  hostNetwork: false,
  securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  initContainers: [{ name: 'wait', image: 'node:24', command: ['node', '/scripts/wait.js'], args: [] as string[] }],
  containers: [
    {
      name: 'server',
      image: 'vllm/vllm-openai:v0.11.0',
      args: ['--model', '/models/llama', '--tensor-parallel-size=2'],
      env: [
        { name: 'HOME', value: '/tmp' },
        { name: 'HALF', value: '0.5' },
        { name: 'EMPTY', value: '' },
        { name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hf', key: 'token', optional: true } } },
        { name: 'ADDRESS', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
      ],
      ports: [
        { name: 'http', containerPort: 8000, protocol: 'TCP' },
        { name: 'metrics', containerPort: 9000, protocol: 'TCP' },
      ],
      resources: {
        requests: { cpu: '0.5', memory: '1024Mi', 'nvidia.com/gpu': 2 },
        limits: { memory: '2048Mi', 'nvidia.com/gpu': '2' },
      },
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
      },
      startupProbe: { httpGet: { path: '/health', port: 'http' }, periodSeconds: 10, failureThreshold: 360 },
      lifecycle: { preStop: { exec: { command: ['sleep', '15'] } } },
      volumeMounts: [
        { name: 'weights', mountPath: '/models', readOnly: true },
        { name: 'shm', mountPath: '/dev/shm' },
      ],
    },
  ],
  tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
  nodeSelector: { 'nvidia.com/gpu.product': 'NVIDIA-A100' },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: SELECTOR },
  ],
  terminationGracePeriodSeconds: 60,
  volumes: [
    { name: 'weights', persistentVolumeClaim: { claimName: 'llama-weights', readOnly: true } },
    { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: '8192Mi' } },
    { name: 'cache', emptyDir: {} },
    { name: 'scripts', configMap: { name: 'llama-fetcher', defaultMode: 0o555 } },
  ],
};

/** One of each type that an operator makes, with what the server spells otherwise or leaves out. */
export function children(namespace: string): readonly (readonly [ResourceType, ObjectBody])[] {
  const object = (type: ResourceType, rest: object): readonly [ResourceType, ObjectBody] => [
    type,
    {
      apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
      kind: type.kind,
      metadata: { name: 'llama', namespace, labels: LABELS, annotations: { 'trunnion.dev/note': '' } },
      ...rest,
    },
  ];
  const template = { metadata: { labels: LABELS }, spec: POD_SPEC };
  return [
    object(TYPES.serviceAccount, { automountServiceAccountToken: false }),
    object(TYPES.configMap, { data: { 'fetch.js': 'console.log(1)\n', empty: '' } }),
    object(TYPES.networkPolicy, {
      spec: {
        podSelector: SELECTOR,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ protocol: 'TCP', port: 8000 }] }],
        egress: [{}],
      },
    }),
    object(TYPES.persistentVolumeClaim, {
      spec: {
        accessModes: ['ReadWriteMany'],
        resources: { requests: { storage: '2048Gi' } },
        volumeMode: 'Filesystem',
      },
    }),
    object(TYPES.job, {
      spec: {
        backoffLimit: 0,
        suspend: true,
        podFailurePolicy: {
          rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
        },
        template: { ...template, spec: { ...POD_SPEC, restartPolicy: 'Never' } },
      },
    }),
    object(TYPES.deployment, {
      spec: {
        replicas: 0,
        selector: SELECTOR,
        minReadySeconds: 0,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        template,
      },
    }),
    object(TYPES.service, {
      spec: {
        type: 'ClusterIP',
        selector: LABELS,
        ports: [
          { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' },
          { name: 'metrics', port: 9000, targetPort: 9000, protocol: 'TCP' },
        ],
      },
    }),
    object(TYPES.podDisruptionBudget, { spec: { maxUnavailable: '50%', selector: SELECTOR } }),
    object(TYPES.horizontalPodAutoscaler, {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'llama' },
        minReplicas: 1,
        maxReplicas: 4,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
          { type: 'Pods', pods: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '0.5' } } },
        ],
        behavior: {
          scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
        },
      },
    }),
    object(TYPES.ingress, {
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['llama.example.org'], secretName: 'llama-tls' }],
        rules: [
          {
            host: 'llama.example.org',
            http: {
              paths: [
                { path: '/', pathType: 'Prefix', backend: { service: { name: 'llama', port: { name: 'http' } } } },
              ],
            },
          },
        ],
      },
    }),
  ];
}
