import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FRAMEWORKS, reservedEnv } from '../../../constructs/distributed-training/frameworks.ts';
import { minimal, mpi, mxnet, resnet, tensorflow } from '../../examples/distributed-training/example.ts';
import { distributedTrainingArbitrary } from '../../support/arbitrary-distributed-training.ts';
import { childOf, construct, envOf, render, trainerOf } from './support/render.ts';

const INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']";
const key = { sshSecretName: 'key' };

describe('the variables of', () => {
  test('every rank tell who it is, where the others are and which attempt this is', () => {
    const spec = { ...minimal, replicas: 4, resources: { gpu: 2 } };
    expect(envOf(spec)).toMatchObject({
      RANK: INDEX,
      WORLD_SIZE: '8',
      ROLE: 'worker',
      MASTER_ADDR: 'resnet-1-0.resnet',
      MASTER_PORT: '29500',
      TRUNNION_ATTEMPT: '1',
    });
    expect(envOf(spec, 'worker', { attempt: 3 })).toMatchObject({
      MASTER_ADDR: 'resnet-3-0.resnet',
      TRUNNION_ATTEMPT: '3',
    });
    expect(construct(spec)).toMatchObject({ worldSize: 8, master: 'resnet-1-0.resnet' });
  });

  test('torchrun have fixed ranks', () => {
    const env = envOf({ ...minimal, replicas: 4, procsPerNode: 8 });
    expect(env).toMatchObject({
      PET_NNODES: '4',
      PET_NODE_RANK: INDEX,
      PET_NPROC_PER_NODE: '8',
      PET_MASTER_ADDR: 'resnet-1-0.resnet',
      PET_MASTER_PORT: '29500',
      WORLD_SIZE: '32',
    });
    expect(env).not.toHaveProperty('PET_RDZV_BACKEND');
  });

  test('an elastic torchrun have a rendezvous of this attempt, and no number that may change', () => {
    const env = envOf(resnet, 'worker', { attempt: 2 });
    expect(env).toMatchObject({
      PET_NNODES: '2:8',
      PET_RDZV_BACKEND: 'c10d',
      PET_RDZV_ENDPOINT: 'resnet-2-0.resnet:29500',
      PET_RDZV_ID: 'resnet-2',
    });
    for (const name of ['WORLD_SIZE', 'PET_NODE_RANK']) expect(env).not.toHaveProperty(name);
    expect(envOf({ ...resnet, replicas: 3 })).toEqual(envOf(resnet));
  });

  // torch 2.13.0, elastic/agent/server/api.py, SimpleElasticAgent._invoke_run: without it, or with 0, the ranks that are
  // left end with exit code 1 as soon as their processes fail for lack of one that is gone.
  test('an elastic torchrun continue though ranks are removed, also where no failure is to be tried again', () => {
    const restartsOf = (limit: number) => envOf({ ...resnet, retry: { limit } })['PET_MAX_RESTARTS'];
    expect([0, 6, 20].map(restartsOf)).toEqual(['3', '3', '3']);
    expect(envOf({ ...resnet, env: [{ name: 'PET_MAX_RESTARTS', value: '9' }] })['PET_MAX_RESTARTS']).toBe('9');
    expect(envOf(minimal)).not.toHaveProperty('PET_MAX_RESTARTS');
  });

  // torch 2.13.0, elastic/rendezvous/dynamic_rendezvous.py, next_rendezvous: an agent of a later round waits for an address that
  // only the first round has, and all end with "wait timeout after 60000ms". Shown by test/real-long/training-elastic.test.ts.
  test('an elastic torchrun let pods join a group that has formed before', () => {
    expect(envOf(resnet)['TORCH_DISABLE_SHARE_RDZV_TCP_STORE']).toBe('1');
    expect(envOf(minimal)).not.toHaveProperty('TORCH_DISABLE_SHARE_RDZV_TCP_STORE');
  });

  // jax 0.10.2, _src/distributed.py, State.initialize: where it lacks any of four values it looks for a cluster, and with the
  // Python package `kubernetes` in the image fails for lack of a token. The devices it takes from their variable.
  test('JAX have their devices, so that it asks no cluster', () => {
    const jax = { ...minimal, framework: 'jax' } as const;
    expect(envOf({ ...jax, resources: { gpu: 4 } })['JAX_LOCAL_DEVICE_IDS']).toBe('0,1,2,3');
    expect(envOf(jax)['JAX_LOCAL_DEVICE_IDS']).toBe('0');
    const one = [{ name: 'JAX_LOCAL_DEVICE_IDS', value: '2' }];
    expect(envOf({ ...jax, resources: { gpu: 4 }, env: one })['JAX_LOCAL_DEVICE_IDS']).toBe('2');
  });

  test('TensorFlow without a chief tell of workers alone', () => {
    const env = envOf({ ...tensorflow, replicas: 2, tensorflow: { chief: false } });
    expect(env['TF_CONFIG']).toBe(
      '{"cluster":{"worker":["resnet-1-0.resnet:29500","resnet-1-1.resnet:29500"]},"task":{"type":"worker","index":$(RANK)}}',
    );
  });

  test('MXNet without servers tell of no scheduler either', () => {
    const env = envOf({ ...mxnet, replicas: 2, mxnet: { servers: 0 } });
    expect(Object.keys(env).filter((name) => name.startsWith('DMLC_'))).toEqual([]);
    expect(env).toMatchObject({ MASTER_ADDR: 'resnet-1-0.resnet', WORLD_SIZE: '2' });
  });

  test('JAX count pods', () => {
    expect(envOf({ ...minimal, framework: 'jax', replicas: 4, resources: { gpu: 8 } })).toMatchObject({
      JAX_COORDINATOR_ADDRESS: 'resnet-1-0.resnet:29500',
      JAX_NUM_PROCESSES: '4',
      JAX_PROCESS_ID: INDEX,
    });
  });

  test('TensorFlow name every task, and say in each role which one the pod is', () => {
    const spec = { ...tensorflow, replicas: 2, tensorflow: { parameterServers: 1 } };
    for (const role of ['chief', 'worker', 'ps']) {
      const config = envOf(spec, role)['TF_CONFIG']?.replace('$(RANK)', '0') ?? '';
      expect(JSON.parse(config)).toEqual({
        cluster: {
          chief: ['resnet-chief-1-0.resnet:29500'],
          worker: ['resnet-worker-1-0.resnet:29500', 'resnet-worker-1-1.resnet:29500'],
          ps: ['resnet-ps-1-0.resnet:29500'],
        },
        task: { type: role, index: 0 },
      });
    }
    // Kubernetes puts in only what stands before.
    const names = trainerOf(spec).env?.map(({ name }) => name) ?? [];
    expect(names.indexOf('RANK')).toBeLessThan(names.indexOf('TF_CONFIG'));
  });

  test('a thousand workers of TensorFlow fit into what Linux takes as one variable', () => {
    const spec = { ...tensorflow, replicas: 1000 };
    const long = construct(spec, { attempt: 99_999 }, 'a'.repeat(43)).render();
    expect(JSON.stringify(long.find(({ id }) => id === 'chief')).length).toBeLessThan(131_072);
  });

  test('MXNet lead to the scheduler', () => {
    expect(envOf({ ...mxnet, replicas: 3, mxnet: { servers: 2 } }, 'server')).toMatchObject({
      DMLC_ROLE: 'server',
      DMLC_PS_ROOT_URI: 'resnet-scheduler-1-0.resnet',
      DMLC_PS_ROOT_PORT: '29500',
      DMLC_NUM_WORKER: '3',
      DMLC_NUM_SERVER: '2',
    });
  });

  // ps-lite, include/ps/internal/zmq_van.h, Bind: without it the scheduler binds to the name in DMLC_PS_ROOT_URI, and fails.
  test('MXNet let the scheduler listen on all addresses, since no socket binds to a DNS name', () => {
    expect(envOf({ ...mxnet, replicas: 2 }, 'scheduler')['DMLC_USE_KUBERNETES']).toBe('1');
  });

  test('PyTorch name the one process of a pod, for programs that are run without torchrun', () => {
    expect(envOf({ ...minimal, replicas: 2, procsPerNode: 1 })).toMatchObject({
      LOCAL_RANK: '0',
      LOCAL_WORLD_SIZE: '1',
    });
    // Who starts several processes names each of them.
    expect(envOf({ ...minimal, replicas: 2, procsPerNode: 4 })).not.toHaveProperty('LOCAL_RANK');
    expect(envOf(resnet)).not.toHaveProperty('LOCAL_RANK');
  });

  test('MPI lead the launcher to the workers, and to nobody else', () => {
    const spec = { ...mpi, replicas: 2, procsPerNode: 4, mpi: key };
    expect(envOf(spec, 'launcher')).toMatchObject({
      OMPI_MCA_orte_default_hostfile: '/etc/trunnion/hosts/hostfile',
      HYDRA_HOST_FILE: '/etc/trunnion/hosts/machinefile',
    });
    expect(envOf(spec, 'worker')).not.toHaveProperty('OMPI_MCA_orte_default_hostfile');
    expect(childOf('hosts', spec, { attempt: 2 }).manifest['data']).toEqual({
      hostfile: 'resnet-worker-2-0.resnet slots=4\nresnet-worker-2-1.resnet slots=4\n',
      machinefile: 'resnet-worker-2-0.resnet:4\nresnet-worker-2-1.resnet:4\n',
    });
    expect(trainerOf(spec, 'worker').command?.[2]).toContain('exec /usr/sbin/sshd ');
    expect(trainerOf(spec, 'launcher').command).toEqual(['mpirun', 'train']);
  });

  test('a training are its hyperparameters, and what the user adds', () => {
    const env = [{ name: 'EXTRA', value: '$(EPOCHS)' }];
    expect(envOf({ ...minimal, env, hyperparameters: { EPOCHS: '3' } })).toMatchObject({
      EPOCHS: '3',
      EXTRA: '$(EPOCHS)',
    });
  });

  test('an attempt that saves lead to a folder of its own, whose names are in the order of attempts', () => {
    const at = (uri: string) => envOf({ ...minimal, checkpoint: { uri } }, 'worker', { attempt: 12 });
    expect(at('s3://ml-checkpoints/resnet/')).toMatchObject({
      CHECKPOINT_ROOT: 's3://ml-checkpoints/resnet',
      CHECKPOINT_URI: 's3://ml-checkpoints/resnet/attempt-00012',
    });
    expect(at('pvc://claim/resnet')).toMatchObject({
      CHECKPOINT_ROOT: '/checkpoints',
      CHECKPOINT_URI: '/checkpoints/attempt-00012',
      CHECKPOINT_DIR: '/checkpoints/attempt-00012',
    });
  });

  test('a training that saves to S3 are its credentials', () => {
    expect(envOf(resnet)).toMatchObject({ AWS_ACCESS_KEY_ID: 's3-writer/AWS_ACCESS_KEY_ID' });
  });

  test('a training that saves to Google lead to a file', () => {
    const spec = { ...minimal, checkpoint: { uri: 'gs://ml-checkpoints', credentials: { secretName: 'writer' } } };
    expect(envOf(spec)).toMatchObject({ GOOGLE_APPLICATION_CREDENTIALS: '/etc/trunnion/credentials/key.json' });
  });
});

test('every variable of ours is one that users are refused, and has its name once', () => {
  // The first three are what a program may have reason to choose otherwise.
  const ours = new Set([
    'NVIDIA_VISIBLE_DEVICES',
    'PET_MAX_RESTARTS',
    'TORCH_DISABLE_SHARE_RDZV_TCP_STORE',
    'LOCAL_RANK',
    'LOCAL_WORLD_SIZE',
    'JAX_LOCAL_DEVICE_IDS',
    'HOME',
    'XDG_CACHE_HOME',
    'USER',
    'PYTHONUNBUFFERED',
    'TRUNNION_ATTEMPT',
  ]);
  const left = { EPOCHS: '', LEARNING_RATE: '', _x: '' };
  fc.assert(
    fc.property(distributedTrainingArbitrary, ({ env, podTemplate, ...rest }) => {
      // What users add has names of its own.
      const own = new Set([...(env ?? []).map(({ name }) => name), 'EXTRA']);
      const spec = { ...rest, ...(env && { env }), ...(podTemplate && { podTemplate }) };
      const reserved = new Set(reservedEnv(spec.framework));
      for (const { id, manifest } of render(spec)) {
        if (manifest.kind !== 'Job') continue;
        const names = (trainerOf(spec, id).env ?? []).map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        const others = names.filter(
          (name) => !reserved.has(name) && !ours.has(name) && !(name in left) && !own.has(name),
        );
        expect(others.filter((name) => !name.startsWith('AWS_'))).toEqual([]);
      }
    }),
  );
  expect(FRAMEWORKS).toHaveLength(5);
});
