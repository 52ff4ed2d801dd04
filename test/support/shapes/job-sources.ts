import type { Manifest } from '../../../constructs/index.ts';
import {
  EXPERIMENT_OF_JOBS,
  EXPERIMENT_OF_PYTORCH_JOBS,
  JAX_JOB,
  MPI_JOB,
  MPI_JOB_V2BETA1,
  TF_JOB,
  XGBOOST_JOB,
} from './kubeflow-jobs.ts';
import { readerOf, resource } from './source.ts';
import type { Source } from './source.ts';

/** Replicas of one container. */
export const replicasOf = (name: string, replicas: number, more: object = {}): object => ({
  replicas,
  template: { spec: { containers: [{ name, image: 'train:1', ...more }] } },
});

const tf = (roles: object): Manifest => resource('kubeflow.org/v1', 'TFJob', { tfReplicaSpecs: roles });
const mpi = (version: string): Manifest =>
  resource(`kubeflow.org/${version}`, 'MPIJob', {
    mpiReplicaSpecs: {
      Launcher: replicasOf('mpi', 1, { command: ['mpirun', 'train'] }),
      Worker: replicasOf('mpi', 4),
    },
  });

/** An Experiment whose trials are jobs of this kind. */
export const experimentOf = (trial: object, more: object = {}): Manifest =>
  resource('kubeflow.org/v1beta1', 'Experiment', {
    objective: { type: 'maximize', objectiveMetricName: 'accuracy' },
    algorithm: { algorithmName: 'random' },
    parameters: [{ name: 'lr', parameterType: 'double', feasibleSpace: { min: '0.1', max: '0.5' } }],
    trialTemplate: { trialSpec: trial },
    ...more,
  });

const SAMPLES: Source['samples'] = [
  [/parameterType$/, 'int'],
  [/feasibleSpace\.(min|max)$/, '0.3'],
  [/feasibleSpace\.step$/, '0.1'],
  [/feasibleSpace\.distribution$/, 'logUniform'],
  [/objective\.type$/, 'minimize'],
  [/algorithmName$/, 'grid'],
];

const REPLICAS: Source['keys'] = [[/ReplicaSpecs$/, ['Worker']]];

/** The schemas of Kubeflow's jobs beside PyTorchJob, and of Katib's searches. */
export const jobSources: Readonly<Record<string, Source>> = {
  'a TFJob': {
    schema: TF_JOB,
    reader: readerOf('TFJob', 'kubeflow.org'),
    bases: [
      tf({ Worker: replicasOf('tensorflow', 4), Chief: replicasOf('tensorflow', 1), PS: replicasOf('tensorflow', 2) }),
    ],
    // A Master and a PS are read as a Chief is.
    keys: [[/ReplicaSpecs$/, ['Worker', 'Chief', 'Evaluator']]],
  },
  'a JAXJob': {
    schema: JAX_JOB,
    reader: readerOf('JAXJob', 'kubeflow.org'),
    bases: [resource('kubeflow.org/v1', 'JAXJob', { jaxReplicaSpecs: { Worker: replicasOf('jax', 4) } })],
    keys: REPLICAS,
  },
  'an XGBoostJob': {
    schema: XGBOOST_JOB,
    reader: readerOf('XGBoostJob', 'kubeflow.org'),
    bases: [
      resource('kubeflow.org/v1', 'XGBoostJob', {
        xgbReplicaSpecs: { Master: replicasOf('xgboost', 1), Worker: replicasOf('xgboost', 3) },
      }),
    ],
    keys: [[/ReplicaSpecs$/, ['Master', 'Worker']]],
  },
  'an MPIJob': {
    schema: MPI_JOB,
    reader: readerOf('MPIJob', 'kubeflow.org'),
    bases: [mpi('v1')],
    keys: [[/ReplicaSpecs$/, ['Launcher', 'Worker']]],
  },
  'an MPIJob at v2beta1': {
    schema: MPI_JOB_V2BETA1,
    reader: readerOf('MPIJob', 'kubeflow.org'),
    bases: [mpi('v2beta1')],
    keys: [[/ReplicaSpecs$/, ['Launcher', 'Worker']]],
  },
  'an Experiment of Jobs': {
    schema: EXPERIMENT_OF_JOBS,
    reader: readerOf('Experiment', 'kubeflow.org'),
    bases: [
      experimentOf({
        apiVersion: 'batch/v1',
        kind: 'Job',
        spec: { template: { spec: { containers: [{ name: 'training', image: 'train:1' }] } } },
      }),
    ],
    samples: SAMPLES,
  },
  'an Experiment of PyTorchJobs': {
    schema: EXPERIMENT_OF_PYTORCH_JOBS,
    reader: readerOf('Experiment', 'kubeflow.org'),
    bases: [
      experimentOf({
        apiVersion: 'kubeflow.org/v1',
        kind: 'PyTorchJob',
        spec: { pytorchReplicaSpecs: { Worker: replicasOf('pytorch', 2) } },
      }),
    ],
    keys: REPLICAS,
    samples: [...SAMPLES, [/nprocPerNode$/, '4'], [/elasticPolicy\.minReplicas$/, 1]],
  },
};
