import { OBSERVER, decorate, observeChild, observePod } from '../../support/as-trunnion.ts';
import { describe, expect, it } from 'vitest';
import { isReady } from '../../../operator/engine/observe/ready.ts';
import { valueAt } from '../../../operator/engine/observe/slices.ts';
import type { KubeObject, ObjectMeta } from '../../../operator/kube/client/types.ts';

const metadata = (extra: Partial<ObjectMeta> = {}): ObjectMeta => ({
  name: 'x',
  namespace: 'ns',
  uid: 'u',
  resourceVersion: '7',
  creationTimestamp: '2026-01-01T00:00:00Z',
  generation: 2,
  ...extra,
});

const object = (apiVersion: string, kind: string, rest: object = {}, meta: Partial<ObjectMeta> = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: metadata(meta),
  ...rest,
});

const deployment = (spec: object, status: object): KubeObject => object('apps/v1', 'Deployment', { spec, status });
const rolled = { observedGeneration: 2, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };

describe('ready, by kind', () => {
  it.each<[string, KubeObject, boolean]>([
    ['a Deployment that has rolled out', deployment({ replicas: 2 }, rolled), true],
    [
      'a Deployment whose spec was not seen yet',
      deployment({ replicas: 2 }, { ...rolled, observedGeneration: 1 }),
      false,
    ],
    ['a Deployment that lacks a pod', deployment({ replicas: 3 }, rolled), false],
    ['a Deployment with a pod of the old template', deployment({ replicas: 2 }, { ...rolled, replicas: 3 }), false],
    [
      'a Deployment whose pods are not available',
      deployment({ replicas: 2 }, { ...rolled, availableReplicas: 1 }),
      false,
    ],
    ['a Deployment that is scaled to none', deployment({ replicas: 0 }, { observedGeneration: 2 }), true],
    ['a Deployment without a status', deployment({}, {}), false],
    [
      'a complete Job',
      object('batch/v1', 'Job', { status: { conditions: [{ type: 'Complete', status: 'True' }] } }),
      true,
    ],
    [
      'a failed Job',
      object('batch/v1', 'Job', { status: { conditions: [{ type: 'Failed', status: 'True' }] } }),
      false,
    ],
    ['a Job that runs', object('batch/v1', 'Job', { status: { active: 1 } }), false],
    [
      'a claim that waits for its first pod',
      object('v1', 'PersistentVolumeClaim', { status: { phase: 'Pending' } }),
      true,
    ],
    ['a Service', object('v1', 'Service'), true],
    ['a kind that nobody knows', object('example.com/v1', 'Anything'), true],
    ['a namesake of another group', object('example.com/v1', 'Job'), true],
    [
      'a StatefulSet that has rolled out',
      object('apps/v1', 'StatefulSet', {
        spec: { replicas: 1 },
        status: { observedGeneration: 2, readyReplicas: 1, currentRevision: 'a', updateRevision: 'a' },
      }),
      true,
    ],
    [
      'a StatefulSet that rolls',
      object('apps/v1', 'StatefulSet', {
        spec: { replicas: 1 },
        status: { observedGeneration: 2, readyReplicas: 1, currentRevision: 'a', updateRevision: 'b' },
      }),
      false,
    ],
    ...(
      [
        ['whose groups are all ready', { replicas: 2, updatedReplicas: 2, readyReplicas: 2 }, true],
        ['that has a group too many, of a rollout', { replicas: 3, updatedReplicas: 2, readyReplicas: 3 }, false],
        ['of which a group is not ready', { replicas: 2, updatedReplicas: 2, readyReplicas: 1 }, false],
        ['of which a group is of an earlier template', { replicas: 2, updatedReplicas: 1, readyReplicas: 2 }, false],
      ] as const
    ).map(([name, status, ready]): [string, KubeObject, boolean] => [
      `a LeaderWorkerSet ${name}`,
      object('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', {
        spec: { replicas: 2 },
        status: { observedGeneration: 2, ...status },
      }),
      ready,
    ]),
  ])('%s: %#', (_, live, ready) => {
    expect(isReady(live, OBSERVER)).toBe(ready);
  });
});

describe('what is kept of a child', () => {
  const owner = { apiVersion: 'x/v1', kind: 'W', name: 'w', uid: 'owner', controller: true };

  it('is who it is, whose it is, and the slice of it that kinds read', () => {
    const live = deployment({ replicas: 2, template: { spec: { large: true } } }, { ...rolled, collisionCount: 0 });
    const kept = observeChild({
      ...live,
      metadata: metadata({ ownerReferences: [owner], annotations: { 'trunnion.dev/a': 'b', other: 'c' } }),
    });
    expect(kept).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'ns',
      name: 'x',
      uid: 'u',
      resourceVersion: '7',
      ownerUid: 'owner',
      createdAt: Date.parse('2026-01-01T00:00:00Z'),
      deleting: false,
      digest: '',
      stamp: expect.any(String) as string,
      owns: [],
      podLabels: {},
      ready: true,
      slice: { generation: 2, annotations: { 'trunnion.dev/a': 'b' }, spec: { replicas: 2 }, status: rolled },
    });
  });

  it('has no owner where its owners do not control it', () => {
    const { controller: _, ...reference } = owner;
    expect(observeChild(object('v1', 'Service', {}, { ownerReferences: [reference] })).ownerUid).toBeUndefined();
  });

  it('has the digest of the manifest that our field manager applied, and what others may own of it', () => {
    const manifest = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x', namespace: 'ns' },
      spec: { replicas: 2 },
    };
    const rendered = { id: 'd', manifest, after: [], unmanagedFields: [], retain: true };
    const child = decorate(rendered, { apiVersion: 'x/v1', kind: 'W', metadata: metadata() });
    const { labels = {} } = child.manifest.metadata;
    const owned = Object.fromEntries(Object.keys(labels).map((key) => [`f:${key}`, {}]));
    const fieldsV1 = { 'f:metadata': { 'f:labels': owned }, 'f:spec': { 'f:replicas': {} } };
    const meta = {
      labels: { ...labels, other: 'x' },
      managedFields: [{ manager: 'trunnion', operation: 'Apply', fieldsV1 }],
    } as const;
    const spec = { replicas: 2, paused: false };
    const kept = observeChild(object('apps/v1', 'Deployment', { spec }, meta));
    expect([kept.digest, kept.owns]).toEqual([child.digest, ['spec.replicas']]);
    const drifted = observeChild(object('apps/v1', 'Deployment', { spec: { ...spec, replicas: 3 } }, meta));
    expect(drifted.digest).not.toBe(child.digest);
  });

  const applied = {
    labels: { a: 'b' },
    annotations: { ours: 'x' },
    managedFields: [
      {
        manager: 'trunnion',
        operation: 'Apply',
        fieldsV1: {
          'f:metadata': { 'f:labels': { 'f:a': {} }, 'f:annotations': { 'f:ours': {} } },
          'f:spec': { 'f:replicas': {} },
        },
      },
    ],
  } as const;
  const [ours] = applied.managedFields;

  it.each<[string, object, Partial<ObjectMeta>]>([
    ['its spec', { replicas: 3 }, { generation: 3 }],
    ['a label', { replicas: 2 }, { labels: { a: 'c' } }],
    ['an annotation of ours', { replicas: 2 }, { annotations: { ours: 'y' } }],
    ['whether an annotation of ours is there', { replicas: 2 }, { annotations: {} }],
    ['its owner', { replicas: 2 }, { ownerReferences: [owner] }],
    ['what we own of it', { replicas: 2 }, { managedFields: [{ ...ours, fieldsV1: { 'f:spec': {} } }] }],
    ['whether we own anything', { replicas: 2 }, { managedFields: [] }],
  ])('is all observed again where %s has changed', (_, spec, change) => {
    const known = observeChild(object('apps/v1', 'Deployment', { spec: { replicas: 2 } }, applied));
    const next = object('apps/v1', 'Deployment', { spec }, { ...applied, ...change });
    expect(observeChild(next, known)).toEqual(observeChild(next));
  });

  it.each<[string, Partial<ObjectMeta>]>([
    ['its status alone has', {}],
    [
      "somebody else's annotation has",
      { annotations: { ...applied.annotations, 'deployment.kubernetes.io/revision': '1' } },
    ],
  ])('has the digest that is known where %s changed', (_, change) => {
    const known = { ...observeChild(object('apps/v1', 'Deployment', { spec: {} }, applied)), digest: 'as known' };
    const meta = { ...applied, ...change, resourceVersion: '8' };
    const next = object('apps/v1', 'Deployment', { spec: {}, status: rolled }, meta);
    expect(observeChild(next, known)).toMatchObject({ digest: 'as known', resourceVersion: '8', ready: true });
  });

  it('has a digest of its own in each version where no generation counts the changes', () => {
    const meta = { ...applied, managedFields: [{ ...ours, fieldsV1: { 'f:data': { 'f:k': {} } } }] };
    const map = (value: string) => object('v1', 'ConfigMap', { data: { k: value } }, meta);
    expect(observeChild(map('w'), observeChild(map('v')))).toEqual(observeChild(map('w')));
  });

  it('is generic for a kind without a row of its own', () => {
    const live = object('example.com/v1', 'Anything', {
      spec: { a: 1 },
      status: { conditions: [], phase: 'Up', other: 1 },
    });
    expect(observeChild(live).slice).toEqual({ generation: 2, status: { conditions: [], phase: 'Up' } });
  });
});

describe('a decorated child', () => {
  const rendered = {
    id: 'c',
    manifest: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x', namespace: 'ns', labels: { a: 'b' } } },
    after: [],
    unmanagedFields: [],
  };
  const owner = { apiVersion: 'x/v1', kind: 'W', metadata: metadata({ name: 'w' }) };

  it('has the labels by which it is found again, and its owner', () => {
    expect(decorate({ ...rendered, retain: false }, owner).manifest.metadata).toEqual({
      name: 'x',
      namespace: 'ns',
      labels: {
        a: 'b',
        'app.kubernetes.io/instance': 'w',
        'app.kubernetes.io/managed-by': 'trunnion',
        'app.kubernetes.io/name': 'widget',
        'app.kubernetes.io/part-of': 'trunnion',
      },
      ownerReferences: [
        { apiVersion: 'x/v1', kind: 'W', name: 'w', uid: 'u', controller: true, blockOwnerDeletion: true },
      ],
    });
  });

  it('has no owner where it is to be retained', () => {
    expect(decorate({ ...rendered, retain: true }, owner).manifest.metadata['ownerReferences']).toBeUndefined();
  });
});

describe('what is kept of a pod', () => {
  it('is its place, its conditions, and its containers, init containers first', () => {
    const end = {
      exitCode: 3,
      reason: 'Error',
      message: 'last words',
      startedAt: '2026-01-01T00:00:01Z',
      finishedAt: '2026-01-01T00:00:05Z',
    };
    const container = { ready: false, restartCount: 2, image: 'i', imageID: '', lastState: {} };
    const pod = object(
      'v1',
      'Pod',
      {
        spec: { nodeName: 'n' },
        status: {
          phase: 'Running',
          podIP: '10.0.0.1',
          conditions: [{ type: 'PodScheduled', status: 'True', lastProbeTime: null }],
          initContainerStatuses: [{ ...container, name: 'fetch', state: { terminated: { ...end, containerID: 'x' } } }],
          containerStatuses: [
            {
              ...container,
              name: 'server',
              started: true,
              state: { waiting: { reason: 'CrashLoopBackOff' } },
              lastState: { terminated: end },
            },
          ],
        },
      },
      { labels: { a: 'b' }, annotations: { 'trunnion.dev/weights': 'k', other: 'x' } },
    );
    expect(observePod(pod)).toEqual({
      namespace: 'ns',
      name: 'x',
      uid: 'u',
      labels: { a: 'b' },
      annotations: { 'trunnion.dev/weights': 'k' },
      createdAt: Date.parse('2026-01-01T00:00:00Z'),
      deleting: false,
      phase: 'Running',
      node: 'n',
      ip: '10.0.0.1',
      conditions: [{ type: 'PodScheduled', status: 'True', reason: '', message: '' }],
      containers: [
        { name: 'fetch', init: true, ready: false, started: false, restarts: 2, image: 'i', terminated: end },
        {
          name: 'server',
          init: false,
          ready: false,
          started: true,
          restarts: 2,
          image: 'i',
          waiting: { reason: 'CrashLoopBackOff', message: '' },
          lastTerminated: end,
        },
      ],
    });
  });

  it('is since when it is not ready, where it is not, and how long each container may take to start', () => {
    const unready = { type: 'ContainersReady', status: 'False', lastTransitionTime: '2026-01-01T00:00:09Z' };
    const status = { restartCount: 0, image: '', imageID: '', lastState: {}, state: {}, ready: false };
    const pod = (condition: object) =>
      object('v1', 'Pod', {
        spec: {
          containers: [
            { name: 'server', startupProbe: { initialDelaySeconds: 5, periodSeconds: 10, failureThreshold: 61 } },
            { name: 'usual', startupProbe: {} },
            { name: 'unprobed' },
          ],
        },
        status: {
          conditions: [condition],
          containerStatuses: ['server', 'usual', 'unprobed'].map((name) => ({ ...status, name })),
        },
      });
    const seen = observePod(pod(unready));
    expect(seen.unreadySince).toBe(Date.parse('2026-01-01T00:00:09Z'));
    expect(seen.containers.map(({ startupSeconds }) => startupSeconds)).toEqual([605, 20, undefined]);
    expect(observePod(pod({ ...unready, status: 'True' })).unreadySince).toBeUndefined();
  });

  it('is which devices it asks for, and of which product', () => {
    const devices = (resources: object, nodeSelector?: object) =>
      observePod(object('v1', 'Pod', { spec: { containers: [{ name: 'server', resources }], nodeSelector } })).devices;
    const gpu = { 'nvidia.com/gpu': '1' };
    expect(devices({ requests: { cpu: '1' }, limits: { memory: '1Gi', 'amd.com/gpu': '0' } })).toBeUndefined();
    expect(devices({ requests: gpu, limits: gpu })).toBe('nvidia.com/gpu');
    expect(devices({ limits: gpu }, { pool: 'a', 'nvidia.com/gpu.product': 'NVIDIA-L4' })).toBe(
      'nvidia.com/gpu NVIDIA-L4',
    );
  });

  it('is of which product, where its affinity says so', () => {
    const devices = (nodeSelectorTerms: readonly object[], nodeSelector?: object) => {
      const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
      const containers = [{ name: 'server', resources: { limits: { 'nvidia.com/gpu': '1' } } }];
      return observePod(object('v1', 'Pod', { spec: { containers, affinity, nodeSelector } })).devices;
    };
    const term = (operator: string, values: readonly string[], key = 'nvidia.com/gpu.product') => ({
      matchExpressions: [{ key, operator, values }],
    });
    expect(devices([term('In', ['NVIDIA-L40S', 'NVIDIA-L4'])])).toBe('nvidia.com/gpu NVIDIA-L4 NVIDIA-L40S');
    expect(devices([term('In', ['NVIDIA-L4']), term('In', ['NVIDIA-A10'])])).toBe(
      'nvidia.com/gpu NVIDIA-A10 NVIDIA-L4',
    );
    expect(devices([term('In', ['NVIDIA-L4'])], { 'nvidia.com/gpu.product': 'NVIDIA-L4' })).toBe(
      'nvidia.com/gpu NVIDIA-L4',
    );
    // What it must not have, and other labels, name no product.
    expect(devices([term('NotIn', ['NVIDIA-L4']), term('In', ['a'], 'pool')])).toBe('nvidia.com/gpu');
    expect(devices([{}])).toBe('nvidia.com/gpu');
  });

  it('of a pod that no kubelet has seen is that it is there', () => {
    expect(observePod(object('v1', 'Pod'))).toMatchObject({ phase: 'Unknown', conditions: [], containers: [] });
  });
});

it('finds a value by its path', () => {
  expect(valueAt({ spec: { replicas: 0 } }, 'spec.replicas')).toBe(0);
  expect(valueAt({ spec: [] }, 'spec.replicas')).toBeUndefined();
  expect(valueAt(undefined, 'spec.replicas')).toBeUndefined();
});
