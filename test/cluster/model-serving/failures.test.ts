import { beforeAll, describe, expect, it } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { sabotage } from '../support/sabotage.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

async function setUp(labels: Readonly<Record<string, string>> = {}): Promise<ServingUnderTest> {
  const namespace = await testNamespace(admin, labels);
  await startOperator(admin, namespace);
  return new ServingUnderTest(admin, namespace);
}

/** The spec with annotations that make the simulated kubelet fail its server pods. */
const failing = (annotations: Readonly<Record<string, string>>): ModelServingSpecInput => ({
  ...servingSpec,
  podTemplate: {
    metadata: {
      annotations: Object.fromEntries(
        Object.entries({ container: 'server', ...annotations }).map(([key, value]) => [
          `sim.trunnion.dev/${key}`,
          value,
        ]),
      ),
    },
  },
});

describe('a failure of a ModelServing is reported with what to do', () => {
  it('a download that fails: its last words and exit code, and no server on half a model', async () => {
    const serving = await setUp();
    const words = 'the host answered 401: put a token with access into the Secret of model.credentials';
    sabotage(admin, serving.namespace, 'fetcher', { fail: '64', message: words });
    await serving.apply(servingSpec);
    await serving.hasCondition('WeightsReady', 'False', 'DownloadFailed', /answered 401.*\b64\b|\b64\b.*answered 401/);
    expect((await serving.get()).status?.phase).toBe('Failed');
    expect(await admin.find(TYPES.deployment, serving)).toBeUndefined();
  });

  it('a new model whose download fails leaves the old one serving', async () => {
    const serving = await setUp();
    await serving.apply(servingSpec);
    await serving.reaches('Running');
    sabotage(admin, serving.namespace, 'fetcher', { fail: '64', message: 'the host answered 404' });
    await serving.apply({ ...servingSpec, model: { uri: 's3://models/missing/' } });
    await serving.hasCondition('WeightsReady', 'False', 'DownloadFailed');
    await serving.hasCondition('Available', 'True', 'Available');
    expect((await serving.get()).status?.phase).toBe('Updating');
  });

  it('another fetch of the same model that fails: the service is not ready, and serves on', async () => {
    const serving = await setUp();
    await serving.apply(servingSpec);
    await serving.reaches('Running');
    sabotage(admin, serving.namespace, 'fetcher', { fail: '64', message: 'the host answered 401' });
    await serving.apply({
      ...servingSpec,
      tolerations: [{ key: 'team', operator: 'Exists' }],
    });
    await serving.hasCondition('Progressing', 'False', 'DownloadFailed', /answered 401.*tried again at/);
    await serving.hasCondition('Ready', 'False', 'DownloadFailed');
    await serving.hasCondition('WeightsReady', 'True', 'Fetched');
    await serving.hasCondition('Available', 'True', 'Available');
    expect((await serving.get()).status?.phase).toBe('Updating');
  });

  it('a volume that is lost, and the weights again on the one that is made when it is deleted', async () => {
    const serving = await setUp();
    const { namespace } = serving;
    const claims = async () => (await admin.list(TYPES.persistentVolumeClaim, { namespace })).items;
    const uidOfJob = async () => (await admin.list(TYPES.job, { namespace })).items[0]?.metadata.uid;
    await serving.apply(servingSpec);
    await serving.reaches('Running');
    const [claim] = await claims();
    const { volumeName: name = '' } = (claim?.spec ?? {}) as { volumeName?: string };
    await admin.delete(TYPES.persistentVolume, { name });
    await admin.patch(TYPES.persistentVolume, { name }, { metadata: { finalizers: null } });
    await serving.hasCondition('WeightsReady', 'False', 'VolumeLost', /kubectl delete pvc llama-weights-/);
    await serving.hasCondition('Available', 'True', 'Available');

    const before = await uidOfJob();
    await admin.delete(TYPES.persistentVolumeClaim, { namespace, name: claim?.metadata.name ?? '' });
    await serving.hasCondition('WeightsReady', 'False', 'VolumePending', /Once no pod uses it/);
    await serving.apply({ ...servingSpec, replicas: 0 });
    await eventually(async () => expect([before, undefined]).not.toContain(await uidOfJob()));
    await serving.hasCondition('WeightsReady', 'True', 'Fetched');
    expect((await claims()).map(({ metadata: { uid } }) => uid)).not.toContain(claim?.metadata.uid);
    await serving.apply(servingSpec);
    await serving.reaches('Running');
  });

  it('a GPU that no node has', async () => {
    const serving = await setUp();
    await serving.apply({ ...servingSpec, resources: { ...servingSpec.resources, gpuProduct: 'NVIDIA-H900' } });
    await serving.hasCondition('Progressing', 'True', 'NoSuchGPU', /gpuProduct/);
    await serving.reaches('Pending');
  });

  it('more GPUs than any node has', async () => {
    const serving = await setUp();
    await serving.apply({ ...servingSpec, resources: { ...servingSpec.resources, gpu: 64 } });
    await serving.shows(({ status }) =>
      expect(status?.conditions?.find(({ type }) => type === 'Progressing')?.reason).toMatch(/GPU/),
    );
  });

  it('a quota', async () => {
    const serving = await setUp();
    await admin.create(TYPES.resourceQuota, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'gpus', namespace: serving.namespace },
      spec: { hard: { 'requests.nvidia.com/gpu': '0' } },
    });
    await serving.apply(servingSpec);
    await serving.hasCondition('Progressing', 'False', 'QuotaExceeded', /exceeded quota: gpus/);
  });

  it.each([
    [
      'an image that can not be pulled',
      { waiting: 'ImagePullBackOff', message: 'Back-off pulling image' },
      'ImagePullFailed',
      /image/i,
    ],
    [
      'a server that crashes',
      { fail: '3', message: 'unrecognized arguments: --frob' },
      'CrashLoop',
      /unrecognized arguments.*|\b3\b/,
    ],
    ['a server that runs out of memory', { fail: '137', reason: 'OOMKilled' }, 'OutOfMemory', /resources\.memory/],
  ])('%s', async (_, annotations, reason, words) => {
    const serving = await setUp();
    await serving.apply(failing(annotations));
    await serving.hasCondition('Progressing', 'False', reason, words);
  });

  it('a Secret that is missing, and the same Secret once it is there', async () => {
    const serving = await setUp();
    const { namespace } = serving;
    await serving.apply({ ...servingSpec, model: { ...servingSpec.model, credentials: { secretName: 's3' } } });
    await serving.hasCondition('Ready', 'False', 'ReferenceMissing', /s3/);
    await admin.create(TYPES.secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's3', namespace },
      stringData: { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' },
    });
    await serving.shows(({ status }) => expect(status?.phase).toBe('Running'), 150_000);
  }, 200_000);

  it('a name that is taken by an object of somebody else, which stays as it is', async () => {
    const serving = await setUp();
    const { namespace } = serving;
    const theirs = await admin.create(TYPES.service, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'llama', namespace },
      spec: { selector: { app: 'theirs' }, ports: [{ port: 80 }] },
    });
    await serving.apply(servingSpec);
    await serving.hasCondition('Ready', 'False', 'NameTaken', /Service.*llama/);
    expect((await admin.get(TYPES.service, { namespace, name: 'llama' })).metadata.resourceVersion).toBe(
      theirs.metadata.resourceVersion,
    );
    await admin.delete(TYPES.service, { namespace, name: 'llama' });
    await serving.shows(({ status }) => expect(status?.phase).toBe('Running'), 100_000);
  }, 150_000);

  it('KEDA missing: the service runs, and a condition says what to install', async () => {
    const serving = await setUp();
    const { replicas: _, ...spec } = servingSpec;
    await serving.apply({
      ...spec,
      autoscaling: {
        minReplicas: 1,
        maxReplicas: 3,
        targets: { queueDepth: 4 },
        prometheus: { serverAddress: 'http://prometheus.monitoring.svc:9090' },
      },
    });
    await serving.hasCondition('Ready', 'False', 'KedaNotInstalled', /KEDA/);
    await serving.hasCondition('Available', 'True', 'Available');
  });

  it('recovers from each: a corrected spec runs', async () => {
    const serving = await setUp();
    await serving.apply(failing({ fail: '3', message: 'unrecognized arguments' }));
    await serving.hasCondition('Progressing', 'False', 'CrashLoop');
    await serving.apply(servingSpec);
    await serving.reaches('Running');
  });
});

describe('under the restricted Pod Security Standard', () => {
  it.each([
    ['a shared volume and a Job', servingSpec],
    ['a volume of its own', { ...servingSpec, storage: { size: '10Gi' } }],
  ])('pods are admitted with %s', async (_, spec) => {
    const serving = await setUp({
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/enforce-version': 'latest',
    });
    await serving.apply(spec);
    await serving.reaches('Running');
    await eventually(async () => {
      const pods = await admin.list(TYPES.pod, { namespace: serving.namespace });
      expect(pods.items.length).toBeGreaterThan(0);
    });
  });
});
