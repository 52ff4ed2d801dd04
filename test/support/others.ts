import { readFileSync } from 'node:fs';
import { parseManifests } from '../../cli/manifests.ts';
import { packageFile } from '../../cli/package.ts';
import type { Manifest } from '../../constructs/index.ts';

const resource = (apiVersion: string, kind: string, spec: object): Manifest => ({
  apiVersion,
  kind,
  metadata: { name: 'sample', namespace: 'models', labels: { team: 'a' } },
  spec,
});

const pod = {
  nodeSelector: { zone: 'a' },
  tolerations: [{ operator: 'Exists' }],
  serviceAccountName: 'mine',
  priorityClassName: 'high',
};

/** One of each kind of others that is read, with fields that have an equal and fields that have none. */
export const samples = {
  InferenceService: resource('serving.kserve.io/v1beta1', 'InferenceService', {
    predictor: {
      minReplicas: 1,
      maxReplicas: 4,
      scaleMetric: 'concurrency',
      scaleTarget: 10,
      timeout: 60,
      model: {
        modelFormat: { name: 'huggingface' },
        storageUri: 'hf://meta-llama/Llama-3.1-8B',
        args: ['--max-model-len=8192'],
        env: [{ name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hf', key: 'token' } } }],
        resources: {
          requests: { cpu: '4', memory: '24Gi', 'nvidia.com/gpu': '1' },
          limits: { cpu: '8', memory: '24Gi', 'nvidia.com/gpu': '1', 'ephemeral-storage': '10Gi' },
        },
      },
      ...pod,
    },
    transformer: { containers: [{ image: 'transform:1' }] },
  }),
  LLMInferenceService: resource('serving.kserve.io/v1alpha1', 'LLMInferenceService', {
    model: { uri: 'hf://Qwen/Qwen2.5-7B-Instruct', name: 'qwen', criticality: 'Critical', lora: { adapters: [] } },
    replicas: 2,
    parallelism: { tensor: 2, data: 4 },
    trustRemoteCode: true,
    router: { gateway: {}, route: {} },
    baseRefs: [{ name: 'base' }],
    template: {
      ...pod,
      containers: [{ name: 'main', image: 'vllm:1', resources: { limits: { 'nvidia.com/gpu': 2, memory: '64Gi' } } }],
    },
  }),
  Model: resource('kubeai.org/v1', 'Model', {
    url: 'hf://neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8',
    engine: 'VLLM',
    features: ['TextGeneration'],
    owner: 'neuralmagic',
    args: ['--max-model-len=16384'],
    env: { VLLM_LOGGING_LEVEL: 'DEBUG' },
    minReplicas: 0,
    maxReplicas: 3,
    targetRequests: 32,
    resourceProfile: 'nvidia-gpu-l4:2',
  }),
  PyTorchJob: resource('kubeflow.org/v1', 'PyTorchJob', {
    nprocPerNode: '2',
    runPolicy: { backoffLimit: 3, cleanPodPolicy: 'Running', ttlSecondsAfterFinished: 60 },
    pytorchReplicaSpecs: {
      Master: {
        replicas: 1,
        restartPolicy: 'OnFailure',
        template: { spec: { containers: [{ name: 'pytorch', image: 'train:1' }] } },
      },
      Worker: {
        replicas: 3,
        restartPolicy: 'OnFailure',
        template: {
          spec: {
            ...pod,
            containers: [
              {
                name: 'pytorch',
                image: 'train:1',
                command: ['python', 'train.py'],
                resources: { limits: { 'nvidia.com/gpu': 2 } },
              },
            ],
          },
        },
      },
    },
  }),
  TrainJob: resource('trainer.kubeflow.org/v1alpha1', 'TrainJob', {
    runtimeRef: { name: 'torch-distributed', kind: 'ClusterTrainingRuntime', apiGroup: 'trainer.kubeflow.org' },
    trainer: {
      image: 'train:1',
      command: ['torchrun', 'train.py'],
      numNodes: 4,
      numProcPerNode: 2,
      resourcesPerNode: { limits: { 'nvidia.com/gpu': 2 } },
    },
    initializer: { dataset: { storageUri: 'hf://tatsu-lab/alpaca' } },
    suspend: true,
  }),
  Agent: resource('kagent.dev/v1alpha2', 'Agent', {
    type: 'BYO',
    description: 'helps',
    byo: {
      deployment: {
        image: 'agent:1',
        cmd: '/app',
        args: ['--serve'],
        replicas: 2,
        env: [{ name: 'A', value: 'b' }],
        resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
        serviceAccountName: 'mine',
        securityContext: { runAsUser: 0 },
      },
    },
  }),
} as const;

/** One that kagent's own image runs. */
export const declarative = resource('kagent.dev/v1alpha2', 'Agent', {
  type: 'Declarative',
  declarative: {
    systemMessage: 'You help.',
    modelConfig: 'gpt',
    tools: [
      { type: 'McpServer', mcpServer: { name: 'tickets', kind: 'RemoteMCPServer', toolNames: ['create', 'close'] } },
    ],
    deployment: { replicas: 1 },
  },
});

/** InferenceServices of other forms. */
export const inferenceServices = {
  sklearn: resource('serving.kserve.io/v1beta1', 'InferenceService', {
    predictor: { sklearn: { storageUri: 'gs://models/iris' } },
  }),
  container: resource('serving.kserve.io/v1beta1', 'InferenceService', {
    predictor: {
      minReplicas: 0,
      containers: [
        { name: 'kserve-container', image: 'serve:1', command: ['serve'], ports: [{ containerPort: 8080 }] },
      ],
    },
  }),
  tensorflow: resource('serving.kserve.io/v1beta1', 'InferenceService', {
    predictor: {
      tensorflow: { storageUri: 'pvc://models/flowers', runtimeVersion: '2.6' },
      maxReplicas: 3,
      scaleMetric: 'cpu',
      scaleTarget: 60,
    },
  }),
};

/** The resources of earlier operators' users: as they have them, and with all that they may say beside. */
export const compat: readonly Manifest[] = [
  'modeldeployment',
  'mltrainingjob',
  'llm',
  'aiagent',
  'mlmodel',
  'full/modeldeployment',
  'full/mltrainingjob',
  'full/llm',
  'full/aiagent',
]
  .map((name) => `${name}.yaml`)
  .flatMap((file) => parseManifests(readFileSync(packageFile('examples', 'compat', file), 'utf8'), file));

/** All forms of each kind that has an equal: an LLMModel has none, since it only describes. */
export const forms: Readonly<Record<string, readonly Manifest[]>> = {
  ...Object.fromEntries(Object.entries(samples).map(([kind, sample]) => [kind, [sample]])),
  InferenceService: [samples.InferenceService, ...Object.values(inferenceServices)],
  Agent: [samples.Agent, declarative],
  ...Object.fromEntries(
    Map.groupBy(
      compat.filter(({ kind }) => kind !== 'LLMModel'),
      ({ kind, metadata }) => `${kind} ${metadata.name}`,
    ),
  ),
};
