import { servers } from '../../support/prometheus-access.ts';
import { minimal, mounted, prometheus, shared, type AcceptedExample } from './example.ts';
import { acceptedSplits } from './splits.ts';

const uris: readonly AcceptedExample[] = [
  'hf://meta-llama/Meta-Llama-3-8B-Instruct',
  'huggingface://Qwen/Qwen3-0.6B@refs/pr/1',
  's3://models/llama-3-70b/',
  's3://models',
  'gs://my_models/a/b.c',
  'https://models.example.com:8443/llama/model.safetensors?download=true',
].map((uri) => ({ title: `${uri} with storage`, spec: { ...minimal, model: { uri } } }));

const mountedUris: readonly AcceptedExample[] = [
  'pvc://models/llama/3',
  'pvc://models',
  'oci://ghcr.io/example/llama:3',
  `oci://ghcr.io/example/llama@sha256:${'0'.repeat(64)}`,
].map((uri) => ({ title: `${uri} without storage`, spec: { ...mounted, model: { uri } } }));

const guarded: readonly AcceptedExample[] = Object.entries(servers).map(([title, server]) => ({
  title: `as Prometheus ${title}`,
  spec: { ...shared, autoscaling: { maxReplicas: 2, targets: { queueDepth: 1 }, prometheus: server } },
}));

/** Resources that must be accepted, by the API server and by `parseSpec`. */
export const accepted: readonly AcceptedExample[] = [
  {
    title: 'a low port for pods that run as root',
    spec: { ...minimal, engine: { type: 'custom', image: 'serve:1', port: 80 }, security: { level: 'baseline' } },
  },
  { title: 'the smallest useful spec', spec: minimal },
  ...uris,
  ...mountedUris,
  ...guarded,
  { title: 'a name of 44 characters', name: `a${'b'.repeat(43)}`, spec: minimal },
  { title: 'replicas on a shared volume', spec: { ...shared, replicas: 3 } },
  { title: 'no replicas at all', spec: { ...minimal, replicas: 0 } },
  {
    title: 'every target of vllm',
    spec: {
      ...shared,
      resources: { gpu: 1, cpu: 8 },
      autoscaling: {
        minReplicas: 2,
        maxReplicas: 8,
        targets: { ttftMilliseconds: 500, itlMilliseconds: 50, queueDepth: 4, kvCachePercent: 80, cpuPercent: 70 },
        prometheus,
      },
    },
  },
  {
    title: 'a CPU target without Prometheus',
    spec: {
      ...shared,
      resources: { gpu: 0, cpu: '500m' },
      autoscaling: { maxReplicas: 2, targets: { cpuPercent: 70 } },
    },
  },
  {
    title: 'a model over four GPUs',
    spec: { ...minimal, resources: { gpu: 4, gpuProduct: 'NVIDIA-A100-SXM4-80GB' }, parallelism: { tensor: 4 } },
  },
  {
    title: 'a model over two times two GPUs',
    spec: { ...minimal, resources: { gpu: 4 }, parallelism: { tensor: 2, pipeline: 2 } },
  },
  ...acceptedSplits,
  {
    title: 'arguments of the engine that split a model, where the spec says nothing of it',
    spec: {
      ...minimal,
      engine: { type: 'sglang', args: ['--ep-size=4', '--dp-size=2', '--enable-dp-attention'] },
      resources: { gpu: 8 },
    },
  },
  {
    title: 'several API servers for copies on one node',
    spec: {
      ...minimal,
      engine: { type: 'vllm', args: ['--api-server-count=2'] },
      resources: { gpu: 4 },
      parallelism: { data: 4 },
    },
  },
  { title: 'a port that only a group would take', spec: { ...minimal, engine: { type: 'vllm', port: 29_501 } } },
  {
    title: 'a MIG profile',
    spec: { ...minimal, resources: { gpu: 1, gpuResource: 'nvidia.com/mig-1g.10gb', memory: '64Gi' } },
  },
  { title: 'vllm on GPUs of AMD', spec: { ...minimal, resources: { gpu: 1, gpuResource: 'amd.com/gpu' } } },
  {
    title: 'sglang on CPUs with an image that podTemplate names',
    spec: {
      ...minimal,
      engine: { type: 'sglang' },
      resources: { gpu: 0 },
      podTemplate: { spec: { containers: [{ name: 'server', image: 'example.com/sglang:1' }] } },
    },
  },
  {
    title: 'sglang that sees GPUs by a variable',
    spec: {
      ...minimal,
      engine: { type: 'sglang' },
      resources: { gpu: 0 },
      env: [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'all' }],
    },
  },
  { title: 'arguments of the engine', spec: { ...minimal, engine: { type: 'vllm', args: ['--max-model-len=8192'] } } },
  ...(['vllm', 'sglang', 'triton', 'tensorflow-serving'] as const).map((type) => ({
    title: `${type} on addresses of IPv6`,
    spec: { ...minimal, engine: { type, ipFamily: 'IPv6' as const } },
  })),
  {
    title: 'an argument whose name begins like one of ours',
    spec: { ...minimal, engine: { type: 'vllm', args: ['--model-loader-extra-config={}', '--port-range', '1'] } },
  },
  {
    title: 'an engine of the user',
    spec: {
      ...mounted,
      engine: { type: 'custom', image: 'example.com/engine:1', command: ['serve'], port: 9000, healthPath: '/ready' },
    },
  },
  { title: 'a roll without a spare GPU', spec: { ...shared, rollout: { maxSurge: 0, maxUnavailable: 1 } } },
  { title: 'no surge on a volume of one node', spec: { ...minimal, rollout: { maxSurge: 0 } } },
  { title: 'a successor in advance', spec: { ...minimal, successor: 'llama-4' } },
  { title: 'an Ingress', spec: { ...minimal, expose: { ingress: { host: 'llama.example.com', className: 'nginx' } } } },
  {
    title: 'a route of a Gateway',
    spec: { ...minimal, expose: { gateway: { name: 'public', namespace: 'infra', hostname: 'llama.example.com' } } },
  },
  {
    title: 'what every kind has',
    spec: {
      ...minimal,
      env: [
        { name: 'HTTPS_PROXY', value: 'http://proxy:3128' },
        { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'token', key: 'token' } } },
        { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      ],
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: { 'example.com/pool': 'gpu' },
      tolerations: [{ operator: 'Exists' }, { key: 'team', operator: 'Equal', value: 'a', effect: 'NoSchedule' }],
      priorityClassName: 'high',
      runtimeClassName: 'nvidia',
      serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/reader' } },
      security: { level: 'baseline' },
      egress: [{ cidr: '0.0.0.0/0', ports: [443] }, { cidr: '2001:db8::/32' }, { hosts: ['**.example.com'] }],
    },
  },
  {
    title: 'weights in Azure, read by an identity that no annotation names',
    spec: {
      ...minimal,
      model: { uri: 'az://acme.blob.core.windows.net/models/llama-3/' },
      serviceAccount: { identity: 'azure-workload-identity' },
    },
  },
  {
    title: 'what a pod template may add',
    spec: {
      ...minimal,
      podTemplate: {
        metadata: { labels: { team: 'a' }, annotations: { 'example.com/note': 'any text' } },
        spec: {
          terminationGracePeriodSeconds: 600,
          volumes: [
            { name: 'config', configMap: { name: 'config', items: [{ key: 'a', path: 'b/c' }] } },
            { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
          ],
          containers: [
            { name: 'server', volumeMounts: [{ name: 'config', mountPath: '/etc/config', readOnly: true }] },
            { name: 'proxy', image: 'envoyproxy/envoy:v1.36.0', ports: [{ containerPort: 9901 }] },
          ],
          initContainers: [{ name: 'warm-up', image: 'busybox:1.37', command: ['true'] }],
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'noisy' } } },
              ],
            },
          },
        },
      },
    },
  },
  {
    title: 'some files of a model',
    spec: { ...minimal, model: { ...minimal.model, files: { include: ['*.json', 'v1/'], exclude: ['*.?i?'] } } },
  },
  {
    title: 'one of several files in GGUF',
    spec: {
      ...minimal,
      model: { uri: 's3://models/llama', file: 'Q4_K_M/llama 3-Q4_K_M-00001-of-00003.gguf' },
      engine: { type: 'sglang' },
    },
  },
  {
    title: "a file in GGUF for a vLLM of the user's own",
    spec: {
      ...minimal,
      model: { ...minimal.model, file: 'm.gguf' },
      engine: { type: 'vllm', image: 'example.com/vllm-with-gguf:1' },
    },
  },
  {
    title: 'a file in GGUF on a volume that is there, for an engine of the user',
    spec: {
      ...mounted,
      model: { ...mounted.model, file: 'llama.gguf' },
      engine: { type: 'custom', image: 'example.com/engine:1' },
    },
  },
  {
    title: 'another volume for other files of a model',
    spec: {
      ...shared,
      model: { ...minimal.model, files: { exclude: ['*.bin'] } },
      storage: { ...shared.storage, size: '4Gi' },
    },
    old: minimal,
  },
  {
    title: 'a tokenizer and a draft model beside the model',
    spec: {
      ...minimal,
      model: {
        ...minimal.model,
        tokenizer: { uri: 'hf://meta-llama/Llama-3.2-1B@main' },
        draft: { uri: 'huggingface://example/head', method: 'eagle3', tokens: 3 },
      },
    },
  },
  {
    title: 'a model in the format of gpt-oss under another name',
    spec: { ...minimal, model: { uri: 's3://models/mine', vocabulary: 'harmony' } },
  },
  { title: 'a volume that grows', spec: { ...minimal, storage: { size: '80Gi' } }, old: minimal },
  {
    title: 'the same size written in another way',
    spec: { ...minimal, storage: { size: '40960Mi' } },
    old: minimal,
  },
  {
    title: 'another volume for another model',
    spec: { ...shared, model: { uri: 'hf://Qwen/Qwen3-0.6B' }, storage: { ...shared.storage, size: '4Gi' } },
    old: minimal,
  },
];
