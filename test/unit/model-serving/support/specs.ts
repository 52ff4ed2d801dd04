import type { ModelServingSpecInput } from '../../../../constructs/index.ts';

/** One GPU on a volume that one node mounts. */
export const single: ModelServingSpecInput = {
  model: { uri: 'hf://meta-llama/Meta-Llama-3-8B-Instruct@main', credentials: { secretName: 'hf-token' } },
  storage: { size: '40Gi' },
  engine: { type: 'vllm' },
  resources: { gpu: 1, cpu: '8', memory: '64Gi' },
  replicas: 1,
};

/** The same on a volume that several nodes mount. */
export const shared: ModelServingSpecInput = {
  ...single,
  storage: { size: '40Gi', accessMode: 'ReadWriteMany' },
  replicas: 2,
};

/** Scaled by what users feel. */
export const scaled: ModelServingSpecInput = {
  model: { uri: 's3://models/llama-3-70b/', credentials: { secretName: 's3-reader' } },
  storage: { size: '200Gi', accessMode: 'ReadWriteMany', storageClassName: 'shared', retain: true },
  engine: { type: 'vllm', args: ['--max-model-len=8192'] },
  parallelism: { tensor: 4, pipeline: 2 },
  resources: { gpu: 8, gpuProduct: 'NVIDIA-A100-SXM4-80GB', cpu: '16', memory: '320Gi' },
  autoscaling: {
    minReplicas: 2,
    maxReplicas: 8,
    targets: {
      ttftMilliseconds: 500,
      itlMilliseconds: 50,
      queueDepth: 4,
      runningRequests: 32,
      kvCachePercent: 80,
      cpuPercent: 70,
    },
    prometheus: { serverAddress: 'http://prometheus.monitoring.svc:9090' },
  },
  rollout: { maxSurge: 0, maxUnavailable: 1 },
  drain: { timeoutSeconds: 300 },
  expose: { ingress: { host: 'llama.example.com', className: 'nginx', tlsSecretName: 'llama-tls' } },
};

/** The specs whose manifests are kept as snapshots: each engine, scheme, access mode, autoscaler and exposure is in one. */
export const SPECS: Readonly<Record<string, ModelServingSpecInput>> = {
  'vllm from Hugging Face on a ReadWriteOnce volume': single,
  'vllm from S3 on a ReadWriteMany volume, scaled by its own metrics, behind an Ingress': scaled,
  'sglang from Google Cloud Storage on a ReadWriteMany volume of the default class, scaled by CPU': {
    model: { uri: 'gs://weights/qwen' },
    storage: { size: 100, accessMode: 'ReadWriteMany' },
    engine: { type: 'sglang' },
    parallelism: { tensor: 2 },
    resources: { gpu: 2, cpu: 8, memory: '128Gi' },
    autoscaling: { maxReplicas: 4, targets: { cpuPercent: 80 } },
    serviceAccount: { annotations: { 'iam.gke.io/gcp-service-account': 'reader@example.iam.gserviceaccount.com' } },
    egress: [{ cidr: '10.0.0.0/8', ports: [443] }, { cidr: '2001:db8::/32' }],
  },
  'tgi from an OCI image, behind a Gateway, number of replicas left to others': {
    model: { uri: 'oci://registry.example.com/models/zephyr:1', name: 'zephyr' },
    security: { level: 'baseline' },
    engine: { type: 'tgi', env: [{ name: 'MAX_CONCURRENT_REQUESTS', value: '256' }] },
    resources: { gpu: 1, gpuResource: 'nvidia.com/mig-1g.10gb' },
    expose: { gateway: { name: 'public', namespace: 'gateways', hostname: 'zephyr.example.com' } },
  },
  'triton from an existing claim, on AMD, as the image says': {
    model: { uri: 'pvc://models/ensemble' },
    engine: { type: 'triton', image: 'registry.example.com/triton-rocm:1' },
    resources: { gpu: 1, gpuResource: 'amd.com/gpu', gpuProduct: 'MI300X' },
    replicas: 3,
    security: { level: 'baseline' },
  },
  'vllm over two nodes of eight GPUs in one rack': {
    model: { uri: 's3://models/deepseek-v3/' },
    storage: { size: '800Gi', accessMode: 'ReadWriteMany' },
    engine: { type: 'vllm' },
    nodes: 2,
    parallelism: { tensor: 8, data: 2, expert: true },
    resources: { gpu: 8, cpu: '64', memory: '1Ti' },
    topology: { required: 'cloud.provider.com/topology-block' },
    replicas: 2,
  },
  'sglang over two nodes, on a claim': {
    model: { uri: 'pvc://models/deepseek-v3' },
    engine: { type: 'sglang' },
    nodes: 2,
    resources: { gpu: 8 },
  },
  'vllm on CPUs': {
    model: { uri: 'pvc://models/qwen' },
    engine: { type: 'vllm' },
    resources: { gpu: 0, cpu: '16', memory: '32Gi' },
  },
  'vllm on AMD': {
    model: { uri: 'pvc://models/qwen' },
    engine: { type: 'vllm' },
    resources: { gpu: 2, gpuResource: 'amd.com/gpu', memory: '32Gi' },
    security: { supplementalGroups: [109] },
  },
  'tensorflow-serving from a web server, on CPUs': {
    model: { uri: 'https://example.com/models/half_plus_two.tar.gz', name: 'half_plus_two' },
    storage: { size: '1500Mi' },
    engine: { type: 'tensorflow-serving' },
    resources: { gpu: 0, cpu: '2000m', memory: '1024Mi' },
    drain: { timeoutSeconds: 0 },
  },
  'a custom engine from an existing claim': {
    model: { uri: 'pvc://models' },
    engine: {
      type: 'custom',
      image: 'registry.example.com/serve:1.2',
      command: ['/serve'],
      args: ['--model=$(MODEL_PATH)'],
      port: 9000,
      healthPath: '/ready',
    },
    resources: { gpu: 0, cpu: '1' },
    replicas: 2,
  },
};
