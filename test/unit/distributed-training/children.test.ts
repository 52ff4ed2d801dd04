import { describe, expect, test } from 'vitest';
import { distributedTraining } from '../../../constructs/distributed-training/kind.ts';
import { templateHash } from '../../../constructs/distributed-training/jobs.ts';
import type { DistributedTrainingSpecInput } from '../../../constructs/distributed-training/spec.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { minimal, mpi, mxnet, resnet, tensorflow } from '../../examples/distributed-training/example.ts';
import { childOf, construct, idsOf, podOf, render, specOf, trainerOf } from './support/render.ts';

const key = { sshSecretName: 'key' };
const ALWAYS = ['service-account', 'service', 'network-policy'];

describe('the children', () => {
  test.each([
    ['pytorch', minimal, ['worker']],
    ['mpi', { ...mpi, mpi: key }, ['hosts', 'worker', 'launcher']],
    ['tensorflow', { ...tensorflow, tensorflow: { parameterServers: 1 } }, ['chief', 'worker', 'ps']],
    ['tensorflow without parameter servers', tensorflow, ['chief', 'worker']],
    ['mxnet', mxnet, ['scheduler', 'server', 'worker']],
  ] as const)('of %s are a Job a role, and what they need to find each other', (_, spec, own) => {
    expect(idsOf(spec)).toEqual([...ALWAYS, ...own, 'disruption-budget']);
  });

  test('are no Job and no budget while nothing may run, and the Jobs, suspended, once it has failed', () => {
    expect(idsOf(minimal, { lifecycle: 'stopped' })).toEqual(ALWAYS);
    expect(idsOf(minimal, { lifecycle: 'failed' })).toEqual([...ALWAYS, 'worker']);
    expect(specOf('worker', minimal, { lifecycle: 'failed' })['suspend']).toBe(true);
  });

  test('stop all but the leading role once that is done', () => {
    const spec = { ...mpi, mpi: key };
    const suspended = (role: string) => specOf(role, spec, { lifecycle: 'completed' })['suspend'];
    expect([suspended('worker'), suspended('launcher')]).toEqual([true, undefined]);
  });

  test('have no budget on spot nodes, and where it is suspended', () => {
    expect(idsOf({ ...minimal, spot: true })).not.toContain('disruption-budget');
    expect(idsOf({ ...minimal, suspend: true })).toEqual([...ALWAYS, 'worker']);
    expect(specOf('worker', { ...minimal, suspend: true })['suspend']).toBe(true);
  });

  test('keep as many pods as it takes', () => {
    expect(specOf('disruption-budget', { ...tensorflow, replicas: 3 })['minAvailable']).toBe(4);
    expect(specOf('disruption-budget', resnet)['minAvailable']).toBe(2);
  });

  test('have a budget of the pods of their attempt alone', () => {
    const selected = { 'app.kubernetes.io/instance': 'resnet', 'trunnion.dev/attempt': '2' };
    expect(specOf('disruption-budget', resnet, { attempt: 2 })['selector']).toMatchObject({ matchLabels: selected });
    expect(specOf('worker', resnet, { attempt: 2 })['template']).toMatchObject({ metadata: { labels: selected } });
  });

  test('are named by attempt, and a name of 43 characters fits all of them', () => {
    const names = construct(tensorflow, { attempt: 2 })
      .render()
      .map(({ manifest }) => manifest.metadata.name);
    expect(names).toEqual(['resnet', 'resnet', 'resnet', 'resnet-chief-2', 'resnet-worker-2', 'resnet-attempt-2']);
    const longest = construct({ ...mxnet, replicas: 1000 }, { attempt: 99_999 }, 'a'.repeat(43)).render();
    for (const { manifest } of longest) expect(`${manifest.metadata.name}-999`.length).toBeLessThanOrEqual(63);
  });

  test('are never replaced for what somebody else puts into a Job', () => {
    expect(childOf('worker', minimal).noReplace).toBe(true);
    expect(childOf('service', minimal).noReplace).toBeUndefined();
  });
});

describe('a Job', () => {
  test('in a static host tries each rank again by itself, and counts no disruption', () => {
    expect(specOf('worker', { ...minimal, replicas: 4, retry: { limit: 2 } })).toMatchObject({
      completionMode: 'Indexed',
      completions: 4,
      parallelism: 4,
      backoffLimitPerIndex: 2,
      maxFailedIndexes: 0,
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      },
    });
    expect(podOf(minimal)).toMatchObject({ restartPolicy: 'Never', subdomain: 'resnet' });
  });

  // A pod that somebody deletes counts as a failure of its rank where its program ends with another code than 0, as torchrun does
  // on SIGTERM: nothing tells the Job that the rank was removed (Kubernetes 1.36, pkg/controller/job).
  test('of an elastic training makes a rank again that was deleted, also where no failure is to be tried again', () => {
    const limitOf = (limit: number) => specOf('worker', { ...resnet, retry: { limit } })['backoffLimitPerIndex'];
    expect([0, 6].map(limitOf)).toEqual([3, 9]);
  });

  test('leaves its suspension to Kueue, where there is a queue', () => {
    const { unmanagedFields, manifest } = childOf('worker', { ...minimal, queue: 'team-a' });
    expect(unmanagedFields).toEqual(['spec.suspend']);
    expect(manifest.metadata.labels).toMatchObject({ 'kueue.x-k8s.io/queue-name': 'team-a' });
    expect(childOf('worker', { ...minimal, queue: 'team-a', suspend: true }).unmanagedFields).toEqual([]);
    expect(childOf('worker', minimal).unmanagedFields).toEqual([]);
  });

  test('of several belongs to a gang of pods', () => {
    const spec: DistributedTrainingSpecInput = {
      ...tensorflow,
      replicas: 3,
      queue: 'team-a',
      gang: { scheduler: 'kueue' },
    };
    const { manifest, unmanagedFields } = childOf('worker', spec, { attempt: 2 });
    expect(unmanagedFields).toEqual([]);
    expect(manifest['spec']).toMatchObject({
      template: {
        metadata: {
          labels: { 'kueue.x-k8s.io/queue-name': 'team-a', 'kueue.x-k8s.io/pod-group-name': 'resnet-2' },
          annotations: { 'kueue.x-k8s.io/pod-group-total-count': '4' },
        },
      },
    });
  });

  test('belongs to a PodGroup of Volcano', () => {
    const spec: DistributedTrainingSpecInput = {
      ...minimal,
      replicas: 3,
      queue: 'team-a',
      gang: { scheduler: 'volcano' },
    };
    expect(childOf('pod-group', spec).manifest).toMatchObject({
      apiVersion: 'scheduling.volcano.sh/v1beta1',
      kind: 'PodGroup',
      metadata: { name: 'resnet' },
      spec: { minMember: 3, queue: 'team-a' },
    });
    expect(podOf(spec).schedulerName).toBe('volcano');
  });

  test('is over with the first rank, where others may have found no place', () => {
    expect(specOf('worker', resnet)['successPolicy']).toEqual({ rules: [{ succeededIndexes: '0' }] });
    expect(specOf('worker', minimal)['successPolicy']).toBeUndefined();
  });

  test('carries a hash that changes with its pods alone', () => {
    const hash = (over: Partial<DistributedTrainingSpecInput>, base: DistributedTrainingSpecInput = minimal) =>
      templateHash(
        parseSpec(distributedTraining, { name: 'resnet', namespace: 'training', spec: { ...base, ...over } }),
      );
    expect(hash({ replicas: 3 })).not.toBe(hash({}));
    expect(hash({ image: 'other:1' })).not.toBe(hash({}));
    expect(hash({ suspend: true, retry: { limit: 1 }, ttlSecondsAfterFinished: 1, egress: [] })).toBe(hash({}));
    expect(hash({ replicas: 3 }, resnet)).toBe(hash({}, resnet));
  });
});

describe('the pods', () => {
  test('of workers and of the chief get GPUs, and the others what else is asked for', () => {
    const spec = { ...mxnet, resources: { gpu: 2, cpu: 4, gpuProduct: 'NVIDIA-L4' } };
    expect(trainerOf(spec, 'worker').resources?.limits).toEqual({ 'nvidia.com/gpu': '2' });
    expect(trainerOf(spec, 'scheduler').resources).toEqual({ requests: { cpu: '4' } });
    expect(podOf(spec, 'scheduler').nodeSelector).toBeUndefined();
    expect(podOf(spec, 'worker').nodeSelector).toEqual({ 'nvidia.com/gpu.product': 'NVIDIA-L4' });
  });

  test('leave a node that does not answer after a minute', () => {
    expect(podOf(minimal).tolerations).toEqual(
      ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((taint) => ({
        key: taint,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 60,
      })),
    );
  });

  test('on spot nodes tolerate their taints, and have time to save a checkpoint', () => {
    const spec = { ...minimal, spot: true, checkpoint: { uri: 's3://ml-checkpoints', graceSeconds: 110 } };
    expect(podOf(spec).tolerations?.map(({ key: taint }) => taint)).toContain('cloud.google.com/gke-spot');
    expect(podOf(spec).terminationGracePeriodSeconds).toBe(110);
    expect(podOf(minimal).terminationGracePeriodSeconds).toBe(30);
  });

  test('save on a claim, in its folder', () => {
    const pod = podOf({ ...minimal, checkpoint: { uri: 'pvc://claim/team/resnet' } });
    expect(pod.volumes).toContainEqual({ name: 'checkpoint', persistentVolumeClaim: { claimName: 'claim' } });
    expect(pod.containers[0]?.volumeMounts).toContainEqual({
      name: 'checkpoint',
      mountPath: '/checkpoints',
      subPath: 'team/resnet',
    });
  });

  test('of the launcher wait for the workers, with the key that the operator makes where none is named', () => {
    const pod = podOf(mpi, 'launcher', {});
    expect(pod.initContainers?.map(({ name }) => name)).toEqual(['wait']);
    expect(pod.volumes).toContainEqual(
      expect.objectContaining({ secret: expect.objectContaining({ secretName: 'resnet-ssh' }) }),
    );
    expect(podOf({ ...mpi, mpi: key }, 'worker').initContainers).toBeUndefined();
  });

  test('of the launcher alone get what is said of the container that waits', () => {
    const initContainers = [{ name: 'wait', workingDir: '/srv' }];
    const spec = { ...mpi, mpi: key, podTemplate: { spec: { initContainers } } };
    expect(podOf(spec, 'launcher').initContainers).toMatchObject([{ name: 'wait', workingDir: '/srv' }]);
    expect(podOf(spec, 'worker').initContainers).toBeUndefined();
  });

  test('talk with each other, with what is declared and with the store of checkpoints', () => {
    const peers = [
      {
        podSelector: {
          matchLabels: {
            'app.kubernetes.io/name': 'distributed-training',
            'app.kubernetes.io/instance': 'resnet',
          },
        },
      },
    ];
    const policy = specOf('network-policy', { ...resnet, egress: [{ cidr: '10.0.0.0/8' }] });
    expect(policy['ingress']).toEqual([{ from: peers }]);
    expect(policy['egress']).toEqual([
      expect.objectContaining({ ports: expect.anything() }),
      { to: peers },
      { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] },
      expect.objectContaining({ ports: [{ port: 443, protocol: 'TCP' }] }),
    ]);
    expect(specOf('network-policy', minimal)['egress']).toHaveLength(2);
  });

  test('have names before they are ready', () => {
    expect(specOf('service', minimal)).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
  });
});

test('what might surprise is reported, with the field to change', () => {
  const { warnings } = construct({
    ...minimal,
    replicas: 2,
    spot: true,
    queue: 'team-a',
    gang: { scheduler: 'volcano' },
  });
  expect(warnings.map((warning) => warning.split(':')[0])).toEqual(['spec.checkpoint', 'spec.gang.scheduler']);
  expect(construct({ ...minimal, replicas: 2, checkpoint: { uri: 'pvc://claim' } }).warnings).toHaveLength(1);
  expect(construct({ ...minimal, queue: 'team-a' }).warnings).toHaveLength(1);
  expect(render(minimal)).toHaveLength(5);
  expect(construct(minimal).warnings).toEqual([]);
});
