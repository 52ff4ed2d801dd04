import { describe, expect, test } from 'vitest';
import { convert } from '../../../../compat/convert/convert.ts';
import type { Equivalent } from '../../../../compat/convert/convert.ts';
import type { Manifest } from '../../../../constructs/index.ts';
import { experimentOf, replicasOf } from '../../../support/shapes/job-sources.ts';
import { resource } from '../../../support/shapes/source.ts';

function equivalentOf(manifest: Manifest): Equivalent {
  const equivalent = convert(manifest, [manifest]);
  if (!equivalent) throw new Error(`${manifest.kind} is not known`);
  return equivalent;
}

const specOf = (manifest: Manifest): unknown => equivalentOf(manifest).manifest['spec'];
const messagesAt = (manifest: Manifest, path: string): readonly string[] =>
  equivalentOf(manifest).notes.flatMap((note) => (note.path === path ? [note.message] : []));

const gpu = { resources: { limits: { 'nvidia.com/gpu': 2 } } };

describe('of Kubeflow’s jobs', () => {
  test('a TFJob keeps its chief and its parameter servers', () => {
    const job = resource('kubeflow.org/v1', 'TFJob', {
      tfReplicaSpecs: {
        Chief: replicasOf('tensorflow', 1, gpu),
        Worker: replicasOf('tensorflow', 3, gpu),
        PS: replicasOf('tensorflow', 2, gpu),
      },
    });
    expect(specOf(job)).toMatchObject({
      framework: 'tensorflow',
      image: 'train:1',
      replicas: 3,
      tensorflow: { chief: true, parameterServers: 2 },
      resources: { gpu: 2 },
    });
    expect(equivalentOf(job).problems).toEqual([]);
  });

  test('a TFJob of workers alone has no chief apart, and starts once, as Kubeflow has it', () => {
    const job = resource('kubeflow.org/v1', 'TFJob', { tfReplicaSpecs: { Worker: replicasOf('tensorflow', 3) } });
    expect(specOf(job)).toMatchObject({ replicas: 3, tensorflow: { chief: false }, retry: { limit: 0 } });
    expect(messagesAt(job, 'spec.retry.limit')).toEqual([
      'is 0: the first failure is the end, as Kubeflow does where restartPolicy is left out',
    ]);
  });

  test('a role whose template differs from the others is reported as one', () => {
    const job = resource('kubeflow.org/v1', 'TFJob', {
      tfReplicaSpecs: {
        Worker: replicasOf('tensorflow', 3),
        PS: replicasOf('tensorflow', 2, { image: 'serve:1', command: ['serve'] }),
      },
    });
    expect(messagesAt(job, 'spec.tfReplicaSpecs.PS.template')).toEqual([
      'differs from the template of the other replicas: ranks are all alike here',
    ]);
  });

  test('a JAXJob’s program finds the variables of Kubeflow, made of ours', () => {
    const job = resource('kubeflow.org/v1', 'JAXJob', {
      jaxReplicaSpecs: { Worker: replicasOf('jax', 4, { ...gpu, env: [{ name: 'PROCESS_ID', value: '7' }] }) },
    });
    expect(specOf(job)).toMatchObject({
      framework: 'jax',
      replicas: 4,
      procsPerNode: 1,
      env: [
        { name: 'PROCESS_ID', value: '7' },
        { name: 'COORDINATOR_ADDRESS', value: '$(MASTER_ADDR)' },
        { name: 'COORDINATOR_PORT', value: '$(MASTER_PORT)' },
        { name: 'NUM_PROCESSES', value: '$(WORLD_SIZE)' },
      ],
    });
    expect(equivalentOf(job).problems).toEqual([]);
  });

  test('an XGBoostJob has as many ranks as its master and workers together', () => {
    const job = resource('kubeflow.org/v1', 'XGBoostJob', {
      xgbReplicaSpecs: { Master: replicasOf('xgboost', 1), Worker: replicasOf('xgboost', 3) },
    });
    expect(specOf(job)).toMatchObject({ framework: 'pytorch', replicas: 4, procsPerNode: 1 });
    expect(equivalentOf(job).problems).toEqual([]);
  });

  test('an MPIJob runs its launcher’s command, with the workers’ image and resources', () => {
    const job = resource('kubeflow.org/v2beta1', 'MPIJob', {
      slotsPerWorker: 2,
      runPolicy: { backoffLimit: 1 },
      mpiReplicaSpecs: {
        Launcher: replicasOf('mpi', 1, {
          command: ['mpirun'],
          args: ['-np', '8', 'train'],
          env: [{ name: 'OMPI_MCA_btl', value: 'tcp' }],
        }),
        Worker: replicasOf('mpi', 4, { ...gpu, command: ['/usr/sbin/sshd'], env: [{ name: 'A', value: '1' }] }),
      },
    });
    expect(specOf(job)).toMatchObject({
      framework: 'mpi',
      image: 'train:1',
      command: ['mpirun'],
      args: ['-np', '8', 'train'],
      env: [
        { name: 'A', value: '1' },
        { name: 'OMPI_MCA_btl', value: 'tcp' },
      ],
      replicas: 4,
      procsPerNode: 2,
      retry: { limit: 1 },
      resources: { gpu: 2 },
    });
    expect(equivalentOf(job).problems).toEqual([]);
    expect(messagesAt(job, 'spec.mpiReplicaSpecs.Worker.template.spec.containers[0].command')).toHaveLength(1);
  });
});

const trial = (container: object): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ image: 'train:1', ...container }] } } },
});

describe('of a Katib Experiment', () => {
  const experiment = experimentOf(
    trial({
      name: 'training',
      command: ['python3', 'train.py', '--lr=${trialParameters.learningRate}', '--layers=${trialParameters.layers}'],
      env: [{ name: 'BATCH', value: '${trialParameters.batch}' }],
    }),
    {
      objective: {
        type: 'maximize',
        goal: 0.99,
        objectiveMetricName: 'Validation-accuracy',
        metricStrategies: [{ name: 'Validation-accuracy', value: 'latest' }],
      },
      algorithm: { algorithmName: 'bayesianoptimization', algorithmSettings: [{ name: 'random_state', value: '10' }] },
      maxTrialCount: 12,
      parallelTrialCount: 3,
      maxFailedTrialCount: 3,
      parameters: [
        { name: 'lr', parameterType: 'double', feasibleSpace: { min: '0.01', max: '0.05', step: '0.01' } },
        { name: 'num-layers', parameterType: 'int', feasibleSpace: { min: '2', max: '5' } },
        { name: 'batch', parameterType: 'discrete', feasibleSpace: { list: ['16', '32'] } },
        { name: 'optimizer', parameterType: 'categorical', feasibleSpace: { list: ['sgd', 'adam'] } },
      ],
    },
  );
  (experiment['spec'] as { trialTemplate: Record<string, unknown> }).trialTemplate['trialParameters'] = [
    { name: 'learningRate', reference: 'lr' },
    { name: 'layers', reference: 'num-layers' },
    { name: 'batch', reference: 'batch' },
  ];

  test('a search has its space, its objective and its counts', () => {
    expect(specOf(experiment)).toMatchObject({
      tuning: {
        algorithm: 'bayesian',
        seed: 10,
        maxTrials: 12,
        parallelTrials: 3,
        // Katib fails with three failed trials, a search here with one more than this.
        maxFailedTrials: 2,
        objective: { metric: 'Validation-accuracy', goal: 'maximize', take: 'last', target: 0.99 },
        parameters: {
          lr: { type: 'float', min: 0.01, max: 0.05, steps: 5 },
          num_layers: { type: 'int', min: 2, max: 5 },
          batch: { type: 'int', values: [16, 32] },
          optimizer: { type: 'categorical', values: ['sgd', 'adam'] },
        },
      },
    });
    expect(equivalentOf(experiment).problems).toEqual([]);
  });

  test('the values of a trial reach its program where Katib put them', () => {
    expect(specOf(experiment)).toMatchObject({
      framework: 'pytorch',
      image: 'train:1',
      command: ['python3', 'train.py', '--lr=${lr}', '--layers=${num_layers}'],
      env: [{ name: 'BATCH', value: '$(batch)' }],
    });
  });

  test('a placeholder that nothing stands for is reported', () => {
    const unknown = experimentOf(trial({ name: 'training', args: ['${trialSpec.Name}'] }));
    expect(messagesAt(unknown, 'spec').join()).toContain('${trialSpec.Name}');
  });

  test('an algorithm that is not known is reported, and so is a trial of an unknown kind', () => {
    const other = experimentOf(
      { apiVersion: 'argoproj.io/v1', kind: 'Workflow' },
      { algorithm: { algorithmName: 'tpe' } },
    );
    expect(messagesAt(other, 'spec.algorithm.algorithmName')).toEqual(['is not known here: bayesian takes its place']);
    expect(equivalentOf(other).notes.some(({ path }) => path.startsWith('spec.trialTemplate.trialSpec'))).toBe(true);
  });
});

describe('of a kagent SandboxAgent', () => {
  test('its image, command and variables are those of an agent', () => {
    const agent = resource('kagent.dev/v1alpha3', 'SandboxAgent', {
      type: 'BYO',
      byo: { image: 'agent:1', cmd: 'serve', env: [{ name: 'KEY', value: 'x' }] },
    });
    expect(specOf(agent)).toMatchObject({
      image: 'agent:1',
      env: [{ name: 'KEY', value: 'x' }],
      podTemplate: { spec: { containers: [{ name: 'agent', command: ['serve'] }] } },
    });
    expect(messagesAt(agent, 'spec.model').join()).toContain('on 80 under kagent');
  });
});

describe('how often a job starts again', () => {
  const jax = (restartPolicy?: string) =>
    resource('kubeflow.org/v1', 'JAXJob', {
      jaxReplicaSpecs: { Worker: { ...replicasOf('jax', 2), ...(restartPolicy !== undefined && { restartPolicy }) } },
    });
  const mpi = (version: string) =>
    resource(`kubeflow.org/${version}`, 'MPIJob', {
      mpiReplicaSpecs: { Launcher: replicasOf('mpi', 1), Worker: replicasOf('mpi', 2) },
    });
  const pytorch = resource('kubeflow.org/v1', 'PyTorchJob', {
    pytorchReplicaSpecs: { Worker: replicasOf('pytorch', 2) },
  });

  test('is never where its kind says so by default', () => {
    for (const job of [jax(), mpi('v1')]) expect(specOf(job)).toMatchObject({ retry: { limit: 0 } });
    for (const job of [pytorch, mpi('v2beta1')]) expect(specOf(job)).not.toHaveProperty('retry');
  });

  test('is reported where nothing is said and Kubeflow has no limit, which a Job has', () => {
    expect(messagesAt(pytorch, 'spec.retry.limit')).toEqual([expect.stringContaining('is 6 by default')]);
    expect(messagesAt(mpi('v2beta1'), 'spec.retry.limit')).toEqual([]);
  });

  test('does not depend on exit codes here, which is reported', () => {
    const path = 'spec.jaxReplicaSpecs.Worker.restartPolicy';
    expect(messagesAt(jax('ExitCode'), path)).toEqual([expect.stringContaining('1 to 127 are final in Kubeflow')]);
    expect(messagesAt(jax('OnFailure'), path)).toEqual([expect.stringMatching(/^all ranks start again .* no limit$/)]);
  });

  test('is told of replicas that never start again beside others that do', () => {
    const job = resource('kubeflow.org/v1', 'PyTorchJob', {
      pytorchReplicaSpecs: {
        Master: { ...replicasOf('pytorch', 1), restartPolicy: 'Never' },
        Worker: { ...replicasOf('pytorch', 2), restartPolicy: 'OnFailure' },
      },
    });
    expect(messagesAt(job, 'spec.pytorchReplicaSpecs.Master.restartPolicy')).toEqual([
      expect.stringContaining('the first failure is the end in Kubeflow'),
    ]);
  });
});

describe('the template of replicas of which there are none', () => {
  test('is not that of the others', () => {
    for (const [kind, field, container] of [
      ['PyTorchJob', 'pytorchReplicaSpecs', 'pytorch'],
      ['XGBoostJob', 'xgbReplicaSpecs', 'xgboost'],
    ] as const) {
      const job = resource('kubeflow.org/v1', kind, {
        [field]: {
          Master: replicasOf(container, 1, { image: 'master:1' }),
          Worker: replicasOf(container, 0, { image: 'worker:1' }),
        },
      });
      expect(specOf(job)).toMatchObject({ image: 'master:1', replicas: 1 });
      expect(messagesAt(job, `spec.${field}.Worker.template`)).toHaveLength(1);
    }
  });
});

describe('the files in which Kubeflow lists the workers of an MPIJob', () => {
  const job = (mpiImplementation: string, container: object) =>
    resource('kubeflow.org/v2beta1', 'MPIJob', {
      mpiImplementation,
      mpiReplicaSpecs: { Launcher: replicasOf('mpi', 1, container), Worker: replicasOf('mpi', 2) },
    });

  test('are those of the kind here', () => {
    const args = ['--hostfile', '/etc/mpi/hostfile', '/etc/mpi/hostfiles'];
    const open = job('OpenMPI', { args, env: [{ name: 'HOSTS', value: '/etc/mpi/hostfile' }] });
    expect(specOf(open)).toMatchObject({
      args: ['--hostfile', '/etc/trunnion/hosts/hostfile', '/etc/mpi/hostfiles'],
      env: [{ name: 'HOSTS', value: '/etc/trunnion/hosts/hostfile' }],
    });
    const path = 'spec.mpiReplicaSpecs.Launcher.template.spec.containers[0].args[1]';
    expect(messagesAt(open, path)).toEqual(['workers are listed in /etc/trunnion/hosts/hostfile here']);
    expect(specOf(job('MPICH', { args }))).toMatchObject({
      args: [args[0], '/etc/trunnion/hosts/machinefile', args[2]],
    });
  });

  test('are reported where they are scripts', () => {
    const path = 'spec.mpiReplicaSpecs.Launcher.template.spec.containers[0].command[0]';
    expect(messagesAt(job('OpenMPI', { command: ['/etc/mpi/discover_hosts.sh'] }), path)).toEqual([
      expect.stringContaining('a script that is not here'),
    ]);
  });
});

test('what says nothing, or is no field of a template, is not called unknown', () => {
  const worker = replicasOf('pytorch', 2);
  const job = resource('kubeflow.org/v1', 'PyTorchJob', {
    runPolicy: {},
    pytorchReplicaSpecs: {
      Worker: { ...worker, template: { apiVersion: 'v1', kind: 'Pod', ...(worker as { template: object }).template } },
    },
  });
  expect(messagesAt(job, 'spec.runPolicy')).toEqual(['says nothing']);
  for (const name of ['apiVersion', 'kind']) {
    expect(messagesAt(job, `spec.pytorchReplicaSpecs.Worker.template.${name}`)).toEqual([
      'is no field of a template, and has no effect',
    ]);
  }
});
