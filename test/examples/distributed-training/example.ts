import type { DistributedTrainingSpecInput } from '../../../constructs/distributed-training/spec.ts';

/** A resource that must be accepted. */
export interface AcceptedExample {
  /** What it shows, as a sentence's end: "accepts …". */
  readonly title: string;
  readonly name?: string;
  readonly spec: DistributedTrainingSpecInput;
}

/** A resource that must be refused. */
export interface RefusedExample {
  /** What it shows, as a sentence's end: "refuses …". */
  readonly title: string;
  readonly name?: string;
  /** Not of the spec's type, since a compiler would refuse many of them first. */
  readonly spec: unknown;
  /** Each path with a part of its message; no other problem may be told. */
  readonly problems: readonly (readonly [path: string, message: string])[];
}

/** The smallest useful spec. */
export const minimal = {
  framework: 'pytorch',
  image: 'pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime',
} satisfies DistributedTrainingSpecInput;

/** The contract's example. */
export const resnet = {
  framework: 'pytorch',
  image: 'pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime',
  command: ['torchrun', 'train.py'],
  replicas: 4,
  resources: { gpu: 1, cpu: '4', memory: '16Gi' },
  hyperparameters: { BATCH_SIZE: '32', LEARNING_RATE: '0.001', EPOCHS: '100' },
  checkpoint: { uri: 's3://ml-checkpoints/resnet/', credentials: { secretName: 's3-writer' } },
  retry: { limit: 6, backoffSeconds: 10, maxBackoffSeconds: 600 },
  elastic: { minReplicas: 2, maxReplicas: 8 },
  queue: 'team-a',
  procsPerNode: 1,
  suspend: false,
  activeDeadlineSeconds: 86_400,
  ttlSecondsAfterFinished: 3600,
} satisfies DistributedTrainingSpecInput;

/** The contract's example of a search. */
export const search = {
  ...minimal,
  command: ['python', 'train.py'],
  replicas: 1,
  resources: { gpu: 1 },
  tuning: {
    algorithm: 'bayesian',
    maxTrials: 20,
    parallelTrials: 4,
    objective: { metric: 'val_accuracy', goal: 'maximize' },
    parameters: {
      learningRate: { type: 'float', min: 0.0001, max: 0.1, scale: 'log' },
      batchSize: { type: 'int', values: [16, 32, 64, 128] },
    },
  },
} satisfies DistributedTrainingSpecInput;

/** One of each framework that has roles. */
export const tensorflow = { ...minimal, framework: 'tensorflow' } satisfies DistributedTrainingSpecInput;
export const mxnet = { ...minimal, framework: 'mxnet' } satisfies DistributedTrainingSpecInput;
export const mpi = {
  ...minimal,
  framework: 'mpi',
  command: ['mpirun', 'train'],
} satisfies DistributedTrainingSpecInput;
