import { App, Chart } from 'cdk8s';
import { ModelServing } from '../../../constructs/index.ts';
import type { ModelServingState } from '../../../constructs/model-serving/state.ts';
import type { ModelServingSpec, ModelServingSpecInput } from '../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import { isGrouped } from '../../../constructs/model-serving/launch.ts';
import { isSameModel } from '../../../constructs/parts/weights/key.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import type { JsonObject } from '../../../constructs/schema/json.ts';
import { accessValues, servers } from '../../support/prometheus-access.ts';
import { everyPodField, podValues } from './pods.ts';
import { PODS, type Subject } from './subject.ts';

const shared = {
  model: { uri: 's3://models/first/', name: 'llama', credentials: { secretName: 'reader' } },
  storage: { size: '2Gi', storageClassName: 'kwok-volume', accessMode: 'ReadWriteMany', retain: false },
  engine: { type: 'vllm' },
  resources: { gpu: 0, cpu: '1', memory: '1Gi' },
  drain: { timeoutSeconds: 1 },
} satisfies ModelServingSpecInput;

const prometheus = { serverAddress: 'http://prometheus.monitoring.svc:9090' };

const homes = {
  'weights that a Job fetches': {
    ...shared,
    model: { ...shared.model, files: { include: ['*.json', '*.safetensors'], exclude: ['original/'] } },
    engine: {
      ...shared.engine,
      image: 'vllm/vllm-openai:v0.30.0',
      args: ['--seed=1', '--trust-remote-code'],
      env: everyPodField.env,
      port: 9000,
      ipFamily: 'IPv6',
      healthPath: '/healthz',
    },
    replicas: 1,
    rollout: { maxSurge: 1, maxUnavailable: 1 },
    retired: false,
    successor: 'next',
    fetcher: { image: 'docker.io/library/node:24', resources: { cpu: '250m', memory: '512Mi' } },
    expose: {
      ingress: {
        host: 'llama.example.com',
        className: 'nginx',
        tlsSecretName: 'tls',
        annotations: { 'example.com/note': 'a' },
      },
    },
  },
  'GPUs and an autoscaler': {
    ...shared,
    model: {
      ...shared.model,
      file: 'llama-Q4_K_M.gguf',
      tokenizer: { uri: 's3://models/base' },
      draft: { uri: 's3://models/draft', method: 'eagle3', tokens: 3 },
      vocabulary: 'none',
    },
    engine: { type: 'vllm', image: 'example.com/vllm-with-gguf:1' },
    parallelism: { tensor: 2, pipeline: 1, data: 1, expert: false },
    resources: {
      gpu: 2,
      gpuResource: 'nvidia.com/gpu',
      gpuProduct: 'NVIDIA-A100-SXM4-80GB',
      cpu: '1',
      memory: '1Gi',
    },
    autoscaling: {
      minReplicas: 1,
      maxReplicas: 2,
      targets: {
        ttftMilliseconds: 500,
        itlMilliseconds: 50,
        queueDepth: 4,
        runningRequests: 32,
        kvCachePercent: 80,
        cpuPercent: 70,
      },
      prometheus,
    },
    expose: { gateway: { name: 'public', namespace: 'infra', hostname: 'llama.example.com' } },
  },
  ...Object.fromEntries(
    Object.entries(servers).map(([title, server]) => [
      `as Prometheus ${title}`,
      { ...shared, autoscaling: { maxReplicas: 2, targets: { queueDepth: 4 }, prometheus: server } },
    ]),
  ),
  'replicas of several pods': {
    ...shared,
    nodes: 2,
    topology: { required: 'example.com/rack' },
    replicas: 1,
  },
  'replicas of several pods, near to each other where that is possible': {
    ...shared,
    nodes: 2,
    topology: { preferred: 'example.com/rack' },
    replicas: 1,
  },
  'a volume that one node mounts': {
    ...shared,
    storage: { size: '2Gi', accessMode: 'ReadWriteOnce' },
    engine: { type: 'tensorflow-serving' },
    replicas: 1,
  },
  'weights behind an identity of Azure': {
    ...shared,
    model: { uri: 'az://acme.blob.core.windows.net/models/first/' },
    storage: { size: '2Gi', accessMode: 'ReadWriteOnce' },
    replicas: 1,
    serviceAccount: { identity: 'azure-workload-identity' },
  },
  'gRPC and metrics on ports of their own': {
    ...shared,
    engine: { type: 'triton', port: 9000 },
    replicas: 1,
    security: { ids: 'fixed' },
  },
  'weights that are there, and a server of its own': {
    model: { uri: 'pvc://models/llama' },
    engine: { type: 'custom', image: 'docker.io/library/serve:1', command: ['/serve', '$(MODEL_PATH)'] },
    resources: { gpu: 0, cpu: '1' },
    replicas: 1,
    drain: { timeoutSeconds: 1 },
  },
  [PODS]: { ...shared, ...everyPodField, replicas: 0 },
} satisfies Record<string, JsonObject>;

/** Which weights are served, and whether it is out of service. */
function statesOf(spec: JsonObject, status: JsonObject): readonly ModelServingState[] {
  const { phase, served, weights } = status as Pick<ModelServingStatus, 'phase' | 'served' | 'weights'>;
  if (phase === 'Retired') return [{ lifecycle: 'retired' }];
  // On a volume that one node mounts, the earlier model stays until its pod has given way.
  const isMoving = served !== undefined && !isSameModel(served.spec.model, (spec as unknown as ModelServingSpec).model);
  const closed = { fetchEgress: 'closed' } as const;
  // Closed once the weights are known to be there; for servers of an earlier spec, which have theirs, all the time.
  const resting = weights?.claimUID === undefined ? {} : closed;
  // Replicas of another shape stay until those of this one answer.
  const isStanding = served !== undefined && isGrouped(served.spec) !== isGrouped(spec as unknown as ModelServingSpec);
  return [
    ...(isStanding ? [{ ...resting, standing: served.spec }] : []),
    resting,
    ...(isMoving
      ? [
          { ...resting, serving: served.spec },
          { ...closed, serving: served.spec },
        ]
      : []),
  ];
}

/** The kind ModelServing. */
export const modelServingSubject: Subject = {
  kind: modelServing,
  homes,
  values: {
    ...podValues,
    ...accessValues,
    '.model.uri': [
      's3://models/second/',
      'gs://models/third',
      'az://acme.blob.core.windows.net/models/second',
      'az://models/second',
      'hf://Qwen/Qwen3-0.6B',
      'https://models.example.com/llama.gguf',
      'pvc://models/other',
      'oci://ghcr.io/example/llama:3',
      'ftp://models/a',
      's3://',
      'pvc://models/../up',
    ],
    '.model.files.include': [['*'], ['../up'], ['*.gguf']],
    '.model.files.exclude': [['*.json'], ['*.bin']],
    '.model.file': ['llama-Q8_0.gguf', 'llama-00002-of-00002.gguf', 'llama.bin'],
    '.model.tokenizer.uri': ['s3://models/other', 'hf://Qwen/Qwen3-0.6B', 's3://'],
    '.model.draft.uri': ['s3://models/other', 'gs://models/draft'],
    '.engine.port': [9001, 8001, 8002, 8500, 80],
    '.engine.args': [['--port=1'], ['--model', 'x']],
    '.resources.gpu': [1, 4],
    // None but expert can change alone, since their product is the number of GPUs.
    '.parallelism': [
      { tensor: 1, pipeline: 2, data: 1, expert: false },
      { tensor: 1, pipeline: 1, data: 2, expert: true },
      { tensor: 2, pipeline: 2, data: 1, expert: false },
    ],
    '.gpuResource': ['amd.com/gpu', 'nvidia.com/mig-1g.10gb', 'gpu'],
    '.maxSurge': [2],
    '.storageClassName': ['other'],
    '.maxReplicas': [3],
  },
  silent: {
    'spec.parallelism.tensor': 'it changes together with pipeline: see the values of parallelism',
    'spec.parallelism.pipeline': 'it changes together with tensor: see the values of parallelism',
    'spec.parallelism.data': 'it changes together with tensor: see the values of parallelism',
    'spec.retired': 'the operator drains first, and then renders another lifecycle',
    'spec.successor': 'it is told to users in a condition',
  },
  statesOf,
  render(name, namespace, spec, state) {
    const serving = new ModelServing(new Chart(new App(), 'chart'), 'serving', {
      name,
      namespace,
      spec: spec as unknown as ModelServingSpecInput,
      ...(state !== undefined && { state }),
    });
    return serving.render();
  },
};
