import { App, Chart } from 'cdk8s';
import { DistributedTraining } from '../../../constructs/index.ts';
import { distributedTraining } from '../../../constructs/distributed-training/kind.ts';
import type { DistributedTrainingState, TrialState } from '../../../constructs/distributed-training/state.ts';
import type { DistributedTrainingSpecInput } from '../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { JsonObject } from '../../../constructs/schema/json.ts';
import { everyPodField, podValues } from './pods.ts';
import { PODS, type Subject } from './subject.ts';

/** Ranks work for as long as the campaign looks. */
const enduring = { metadata: { annotations: { 'sim.trunnion.dev/delay-seconds': '6000' } } };

const small = {
  framework: 'pytorch',
  image: 'pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime',
  command: ['torchrun', 'train.py'],
  resources: { cpu: '100m', memory: '64Mi' },
  podTemplate: enduring,
} satisfies DistributedTrainingSpecInput;

const homes = {
  'an elastic training': {
    ...small,
    args: ['--lr=$(LEARNING_RATE)'],
    replicas: 2,
    resources: {
      gpu: 1,
      gpuResource: 'nvidia.com/gpu',
      gpuProduct: 'NVIDIA-A100-SXM4-80GB',
      cpu: '100m',
      memory: '64Mi',
    },
    procsPerNode: 2,
    hyperparameters: { EPOCHS: '10', LEARNING_RATE: '0.1' },
    checkpoint: { uri: 's3://checkpoints/resnet/', credentials: { secretName: 'writer' }, graceSeconds: 1 },
    retry: { limit: 6, backoffSeconds: 1, maxBackoffSeconds: 2 },
    elastic: { minReplicas: 1, maxReplicas: 4 },
    objective: { metric: 'accuracy', goal: 'maximize', take: 'best' },
    suspend: false,
    activeDeadlineSeconds: 86_400,
    ttlSecondsAfterFinished: 86_400,
    spot: false,
  },
  'a queue': { ...small, replicas: 2, queue: 'team-a' },
  'a queue that admits a gang': { ...small, suspend: true, queue: 'team-a', gang: { scheduler: 'kueue' } },
  'TensorFlow with parameter servers': {
    ...small,
    framework: 'tensorflow',
    tensorflow: { parameterServers: 1, chief: true },
  },
  'MXNet with servers': { ...small, framework: 'mxnet', mxnet: { servers: 1 }, security: { ids: 'fixed' } },
  'MPI with a key': { ...small, framework: 'mpi', mpi: { sshSecretName: 'key' } },
  'a search': {
    ...small,
    command: ['torchrun', 'train.py', '--lr=${lr}'],
    tuning: {
      algorithm: 'random',
      maxTrials: 4,
      parallelTrials: 2,
      maxFailedTrials: 1,
      seed: 1,
      objective: { metric: 'accuracy', goal: 'maximize', take: 'best', target: 0.5 },
      parameters: {
        lr: { type: 'float', min: 0.001, max: 0.1, scale: 'log', steps: 5 },
        batch: { type: 'categorical', values: ['16', 32] },
      },
    },
  },
  [PODS]: {
    ...small,
    ...everyPodField,
    serviceAccount: { ...everyPodField.serviceAccount, identity: 'azure-workload-identity' },
    suspend: true,
  },
} satisfies Record<string, JsonObject>;

/** The number of the attempt; of a search, what its trials try. */
function statesOf({ suspend = false }: JsonObject, status: JsonObject): readonly DistributedTrainingState[] {
  const { attempt = 1, tuning } = status as DistributedTrainingStatus;
  const going = suspend === true ? 'stopped' : 'running';
  const trials = tuning?.trials.map(({ number, assignments, phase }): TrialState => {
    const isOver = phase === 'Completed' || phase === 'Failed';
    return { number, assignments, lifecycle: isOver ? 'over' : going };
  });
  return [{ attempt, ...(trials && { trials }) }];
}

/** The kind DistributedTraining. */
export const distributedTrainingSubject: Subject = {
  kind: distributedTraining,
  homes,
  values: {
    ...podValues,
    '.checkpoint.uri': ['s3://checkpoints/other', 'gs://my_bucket/a', 'pvc://claim/a', 'hf://a/b', 's3://a/$(id)'],
    '.replicas': [3, 4],
    '.gpuResource': ['amd.com/gpu', 'gpu'],
    '.resources.gpu': [2],
    '.hyperparameters{}': ['0.5'],
    '.activeDeadlineSeconds': [86_401],
    '.minReplicas': [2],
  },
  silent: {
    'spec.retry.backoffSeconds': 'the pause between attempts of a Job is its own',
    'spec.retry.maxBackoffSeconds': 'the pause between attempts of a Job is its own',
    'spec.objective': 'nobody reads it where there is no search',
    'spec.tuning': 'refused in static hosts: the operator starts one trial after the other',
    'spec.ttlSecondsAfterFinished': 'a Job that deleted itself would be made, and run, again',
  },
  // The API server lets nobody change it. The operator counts failures itself, so it needs no new Job for that.
  kept: { Job: ['backoffLimitPerIndex'] },
  statesOf,
  render(name, namespace, spec, state) {
    const training = new DistributedTraining(new Chart(new App(), 'chart'), 'training', {
      name,
      namespace,
      spec: spec as unknown as DistributedTrainingSpecInput,
      ...(state !== undefined && { state }),
    });
    return training.render();
  },
};
