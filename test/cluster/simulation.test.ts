import { beforeAll, describe, expect, test } from 'vitest';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../operator/kube/client/types.ts';
import { mark, mutationsSince, type Mutation } from './support/audit.ts';
import { adminClient, clientWith, kubectl, serviceAccountToken } from './support/client.ts';
import { eventually } from './support/eventually.ts';
import { testNamespace } from './support/namespace.ts';

interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: {
    readonly waiting?: { readonly reason: string; readonly message?: string };
    readonly running?: object;
    readonly terminated?: { readonly exitCode: number; readonly reason: string; readonly message?: string };
  };
  readonly lastState: ContainerStatus['state'];
}

interface PodStatus {
  readonly phase: string;
  readonly podIP?: string;
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
}

const WEIGHTS = {
  revision: expect.stringMatching(/^[0-9a-f]{40}$/),
  bytes: 16_060_522_496,
  totalBytes: 16_060_522_496,
};

let admin: KubeClient;

beforeAll(() => {
  admin = adminClient();
  return () => admin.close();
});

function statusOf(pod: KubeObject): PodStatus {
  return pod['status'] as PodStatus;
}

function isReady(status: PodStatus): boolean {
  return status.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

const CONTAINER = { name: 'server', image: 'example.com/server:1' };

async function createPod(namespace: string, annotations: Record<string, string>, spec: object = {}): Promise<string> {
  const { metadata } = await admin.create(TYPES.pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: 'pod-', namespace, annotations },
    spec: { containers: [CONTAINER], ...spec },
  });
  return metadata.name;
}

async function createJob(namespace: string, annotations: Record<string, string>): Promise<void> {
  await admin.create(TYPES.job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'job', namespace },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { labels: { 'app.kubernetes.io/component': 'fetcher' }, annotations },
        spec: { restartPolicy: 'Never', containers: [{ ...CONTAINER, name: 'fetch' }] },
      },
    },
  });
}

async function jobCondition(namespace: string): Promise<string | undefined> {
  const job = await admin.get(TYPES.job, { namespace, name: 'job' });
  const { conditions = [] } = job['status'] as { readonly conditions?: readonly { readonly type: string }[] };
  return conditions.at(-1)?.type;
}

async function onlyPod(namespace: string): Promise<KubeObject> {
  const { items } = await admin.list(TYPES.pod, { namespace });
  expect(items).toHaveLength(1);
  return items[0] as KubeObject;
}

describe('simulated pods', () => {
  test('of a Deployment are scheduled onto GPU nodes and get ready, init containers first', async () => {
    const namespace = await testNamespace(admin);
    await admin.create(TYPES.deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }],
            initContainers: [
              { ...CONTAINER, name: 'sidecar', restartPolicy: 'Always' },
              { ...CONTAINER, name: 'fetch' },
            ],
            containers: [{ ...CONTAINER, resources: { limits: { 'nvidia.com/gpu': 4 } } }],
          },
        },
      },
    });
    const seen = new Set<string>();
    await eventually(async () => {
      const { items } = await admin.list(TYPES.pod, { namespace });
      for (const { initContainerStatuses } of items.map(statusOf)) {
        seen.add(Object.keys(initContainerStatuses?.at(-1)?.state ?? {}).join(','));
      }
      const deployment = await admin.get(TYPES.deployment, { namespace, name: 'web' });
      expect(deployment['status']).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
    });
    expect(seen).toContain('running');
    const { items } = await admin.list(TYPES.pod, { namespace });
    for (const pod of items) {
      expect((pod['spec'] as { nodeName: string }).nodeName).toMatch(/^gpu-/);
      expect(statusOf(pod).podIP).toMatch(/^10\./);
      expect(statusOf(pod).initContainerStatuses).toMatchObject([
        { name: 'sidecar', ready: true, state: { running: {} } },
        { name: 'fetch', ready: true, state: { terminated: { exitCode: 0 } } },
      ]);
      const message = statusOf(pod).initContainerStatuses?.[1]?.state.terminated?.message ?? '';
      expect(JSON.parse(message)).toEqual(WEIGHTS);
    }
    expect(new Set(items.map((pod) => statusOf(pod).podIP)).size).toBe(2);
  });

  test('of a Job end, the fetcher with what it fetched as its message', async () => {
    const namespace = await testNamespace(admin);
    await createJob(namespace, {});
    await eventually(async () => expect(await jobCondition(namespace)).toBe('Complete'));
    const status = statusOf(await onlyPod(namespace));
    expect(status.phase).toBe('Succeeded');
    expect(JSON.parse(status.containerStatuses?.[0]?.state.terminated?.message ?? '')).toEqual(WEIGHTS);
  });

  test('of a Job fail as their annotations say', async () => {
    const namespace = await testNamespace(admin);
    await createJob(namespace, { 'sim.trunnion.dev/fail': '3', 'sim.trunnion.dev/message': '401: "no" token' });
    await eventually(async () => expect(await jobCondition(namespace)).toBe('Failed'));
    expect(statusOf(await onlyPod(namespace))).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 3, reason: 'Error', message: '401: "no" token' } } }],
    });
  });

  test('that are restarted crash until their annotation goes', async () => {
    const namespace = await testNamespace(admin);
    const name = await createPod(namespace, {
      'sim.trunnion.dev/fail': '137',
      'sim.trunnion.dev/reason': 'OOMKilled',
    });
    await eventually(async () =>
      expect(statusOf(await admin.get(TYPES.pod, { namespace, name })).containerStatuses).toMatchObject([
        {
          restartCount: 5,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
        },
      ]),
    );
    await admin.patch(TYPES.pod, { namespace, name }, { metadata: { annotations: { 'sim.trunnion.dev/fail': null } } });
    await eventually(async () => expect(isReady(statusOf(await admin.get(TYPES.pod, { namespace, name })))).toBe(true));
  });

  test('fail in the container that the annotation names', async () => {
    const namespace = await testNamespace(admin);
    const annotations = { 'sim.trunnion.dev/fail': '2', 'sim.trunnion.dev/container': 'fetch' };
    const initContainers = ['wait', 'fetch'].map((name) => ({ ...CONTAINER, name }));
    const name = await createPod(namespace, annotations, { initContainers });
    await eventually(async () =>
      expect(statusOf(await admin.get(TYPES.pod, { namespace, name }))).toMatchObject({
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'wait', state: { terminated: { exitCode: 0 } } },
          { name: 'fetch', lastState: { terminated: { exitCode: 2 } } },
        ],
        containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
      }),
    );
  });

  test('wait for the reason that is annotated, and continue when it goes', async () => {
    const namespace = await testNamespace(admin);
    const name = await createPod(namespace, {
      'sim.trunnion.dev/waiting': 'ImagePullBackOff',
      'sim.trunnion.dev/message': 'Back-off pulling image',
    });
    await eventually(async () =>
      expect(statusOf(await admin.get(TYPES.pod, { namespace, name })).containerStatuses).toMatchObject([
        { state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image' } } },
      ]),
    );
    const annotations = { 'sim.trunnion.dev/waiting': null };
    await admin.patch(TYPES.pod, { namespace, name }, { metadata: { annotations } });
    await eventually(async () => expect(isReady(statusOf(await admin.get(TYPES.pod, { namespace, name })))).toBe(true));
  });

  test('lose and regain readiness while they run', async () => {
    const namespace = await testNamespace(admin);
    const name = await createPod(namespace, { 'sim.trunnion.dev/ready': 'false' });
    const status = async () => statusOf(await admin.get(TYPES.pod, { namespace, name }));
    const setReady = (value: string | null) =>
      admin.patch(TYPES.pod, { namespace, name }, { metadata: { annotations: { 'sim.trunnion.dev/ready': value } } });
    await eventually(async () => expect(await status()).toMatchObject({ phase: 'Running' }));
    expect(isReady(await status())).toBe(false);
    await setReady(null);
    await eventually(async () => expect(isReady(await status())).toBe(true));
    await setReady('false');
    await eventually(async () => expect(isReady(await status())).toBe(false));
    expect((await status()).containerStatuses).toMatchObject([{ ready: false, state: { running: {} } }]);
  });

  test('take as long to stop as is annotated, and their grace period at the most', async () => {
    const namespace = await testNamespace(admin);
    const seconds = async (annotation: string, grace: number) => {
      const name = await createPod(namespace, { 'sim.trunnion.dev/termination-seconds': annotation });
      await eventually(async () =>
        expect(statusOf(await admin.get(TYPES.pod, { namespace, name })).podIP).toBeTruthy(),
      );
      const start = performance.now();
      await kubectl('delete', 'pod', name, '-n', namespace, `--grace-period=${grace}`);
      return (performance.now() - start) / 1000;
    };
    expect(await seconds('2', 30)).toBeGreaterThan(1.9);
    expect(await seconds('30', 1)).toBeLessThan(5);
  });

  test('show logs', async () => {
    const namespace = await testNamespace(admin);
    await createJob(namespace, {});
    await eventually(async () => expect(await jobCondition(namespace)).toBe('Complete'));
    const { metadata } = await onlyPod(namespace);
    const log = await admin.podLog({ namespace, name: metadata.name }, { container: 'fetch', tailLines: 1 });
    expect(JSON.parse(log)).toEqual({ bytes: 16_060_522_496, totalBytes: 16_060_522_496 });
    expect(await kubectl('logs', 'job/job', '-n', namespace)).toContain('"bytes":0');
  });
});

test('a claim is bound by the default storage class, and its volume goes with it', async () => {
  const namespace = await testNamespace(admin);
  const claim = { namespace, name: 'weights' };
  await admin.create(TYPES.persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: claim,
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '40Gi' } } },
  });
  const volume = await eventually(async () => {
    const bound = await admin.get(TYPES.persistentVolumeClaim, claim);
    expect(bound['status']).toMatchObject({ phase: 'Bound', capacity: { storage: '40Gi' } });
    return (bound['spec'] as { volumeName: string }).volumeName;
  });
  await admin.delete(TYPES.persistentVolumeClaim, claim);
  await eventually(async () => expect(await kubectl('get', 'pv', '-o', 'name')).not.toContain(volume));
});

test('the audit log tells who changed what', async () => {
  const namespace = await testNamespace(admin);
  const user = clientWith(await serviceAccountToken(admin, namespace, 'default'));
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace } };
  const start = mark();
  await admin.create(TYPES.configMap, configMap);
  await admin.get(TYPES.configMap, configMap.metadata);
  await expect(user.create(TYPES.configMap, configMap)).rejects.toMatchObject({ status: 403 });
  // The cluster's controllers write into a namespace that is new, too.
  const byTest = ({ userAgent, namespace: where }: Mutation): boolean => userAgent === 'test' && where === namespace;
  const mutations = (await mutationsSince(admin, start)).filter(byTest);
  const common = { verb: 'create', group: '', resource: 'configmaps', namespace, userAgent: 'test' };
  expect(mutations).toEqual([
    { ...common, name: 'a', user: 'admin', code: 201 },
    // Who may not create is refused before the body, with the name in it, is read.
    { ...common, name: '', user: `system:serviceaccount:${namespace}:default`, code: 403 },
  ]);
  await user.close();
});
