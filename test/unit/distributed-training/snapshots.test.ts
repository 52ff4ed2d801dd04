import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { DistributedTrainingState } from '../../../constructs/distributed-training/state.ts';
import type { DistributedTrainingSpecInput } from '../../../constructs/distributed-training/spec.ts';
import { minimal, mpi, mxnet, resnet, tensorflow } from '../../examples/distributed-training/example.ts';
import { render } from './support/render.ts';

/** The specs whose manifests are kept as snapshots: each framework, store, queue and gang is in one. */
const SPECS: Readonly<Record<string, DistributedTrainingSpecInput>> = {
  "the contract's example: an elastic PyTorch that saves to S3, in a queue of Kueue": resnet,
  'the smallest useful spec': minimal,
  'TensorFlow with parameter servers, all together by Kueue, saving to Google': {
    ...tensorflow,
    replicas: 2,
    tensorflow: { parameterServers: 1 },
    resources: { gpu: 1, gpuProduct: 'NVIDIA-L4' },
    checkpoint: { uri: 'gs://ml-checkpoints/bert', credentials: { secretName: 'gcs-writer' }, graceSeconds: 60 },
    queue: 'team-a',
    gang: { scheduler: 'kueue' },
  },
  'MXNet on AMD, all together by Volcano': {
    ...mxnet,
    replicas: 2,
    mxnet: { servers: 2 },
    resources: { gpu: 2, gpuResource: 'amd.com/gpu' },
    gang: { scheduler: 'volcano' },
    priorityClassName: 'high',
  },
  'MPI on spot nodes, saving to a claim': {
    ...mpi,
    replicas: 2,
    procsPerNode: 8,
    mpi: { sshSecretName: 'ssh' },
    spot: true,
    checkpoint: { uri: 'pvc://checkpoints/cfd', graceSeconds: 110 },
  },
  'JAX with all that pods may have, as its image says': {
    ...minimal,
    framework: 'jax',
    replicas: 2,
    args: ['--epochs=$(EPOCHS)'],
    hyperparameters: { EPOCHS: '3' },
    env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'token', key: 'token' } } }],
    security: { level: 'baseline' },
    egress: [{ cidr: '10.0.0.0/8', ports: [443] }],
    serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/trainer' } },
    podTemplate: { spec: { containers: [{ name: 'side', image: 'side:1' }] } },
  },
};

/** The manifests as YAML, each headed by its place in the order. */
const printed = (spec: DistributedTrainingSpecInput, state?: DistributedTrainingState): string =>
  render(spec, state)
    .map((child) => stringify(JSON.parse(JSON.stringify(child)), { lineWidth: 0 }))
    .join('---\n');

describe('the manifests of', () => {
  test.each(Object.entries(SPECS))('%s', (_, spec) => {
    expect(printed(spec)).toMatchSnapshot();
  });

  test('a third attempt', () => {
    expect(printed(minimal, { attempt: 3 })).toMatchSnapshot();
  });

  test('a training between two attempts', () => {
    expect(printed(minimal, { attempt: 2, lifecycle: 'stopped' })).toMatchSnapshot();
  });
});
