import { beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { followPhases } from '../../../cli/demo/phases.ts';
import { adminClient } from '../support/client.ts';
import { COLLECTED, eventually } from '../support/eventually.ts';
import { held } from '../support/held.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { modelServingType, ServingUnderTest, servingSpec } from '../support/serving.ts';
import { simulated } from '../support/training.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

async function setUp(): Promise<ServingUnderTest> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  return new ServingUnderTest(admin, namespace);
}

const deployment = ({ namespace, name }: ServingUnderTest): Promise<KubeObject | undefined> =>
  admin.find(TYPES.deployment, { namespace, name });

const claims = async ({ namespace }: ServingUnderTest): Promise<readonly string[]> =>
  (await admin.list(TYPES.persistentVolumeClaim, { namespace })).items.map(({ metadata }) => metadata.name);

/** Whether the endpoint has a ready address now. */
async function endpointHasAddress(serving: ServingUnderTest): Promise<boolean> {
  const slices = await admin.list(TYPES.endpointSlice, {
    namespace: serving.namespace,
    labelSelector: `kubernetes.io/service-name=${serving.name}`,
  });
  return slices.items.some((slice) =>
    (slice as unknown as { endpoints?: { conditions?: { ready?: boolean } }[] }).endpoints?.some(
      ({ conditions }) => conditions?.ready === true,
    ),
  );
}

describe('the life of a ModelServing', () => {
  it('goes through Downloading and Deploying to Running, with endpoint, replicas and weights in status', async () => {
    const serving = await setUp();
    const { namespace, name } = serving;
    const phases: string[] = [];
    const followed = followPhases(
      { client: admin, type: modelServingType, namespace, name },
      {
        see: ({ phase }) => void phases.push(phase),
        lastAfter: (phase) => (phase === 'Running' ? 0 : undefined),
        signal: AbortSignal.timeout(60_000),
      },
    );
    // For longer than it takes to tell of it.
    const fetcher = { namespace, labelSelector: 'app.kubernetes.io/component=fetcher', pods: 1 };
    await held(admin, fetcher, simulated({ 'delay-seconds': '3' }), () => serving.apply(servingSpec));
    await followed;
    // While the fetcher was held, no node could take it.
    expect(phases.filter((phase) => phase !== 'Pending' && phase !== 'Failed')).toEqual([
      'Downloading',
      'Deploying',
      'Running',
    ]);
    const running = await serving.reaches('Running');
    expect(running.status).toMatchObject({
      endpoint: `http://llama.${serving.namespace}.svc:8000/v1`,
      replicas: 1,
      readyReplicas: 1,
      weights: { uri: 's3://models/first/', bytes: expect.any(Number), totalBytes: expect.any(Number) },
    });
    expect(running.status?.selector).toContain('app.kubernetes.io/instance=llama');
  });

  it('scales in place, and by the scale subresource', async () => {
    const serving = await setUp();
    await serving.apply(servingSpec);
    await serving.reaches('Running');
    const before = (await deployment(serving))?.metadata.uid;
    await admin.patch(modelServingType, serving, { spec: { replicas: 3 } }, { subresource: 'scale' });
    await serving.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 3 }));
    expect((await deployment(serving))?.metadata.uid).toBe(before);
  });

  it('downloads a new model beside the old one, which serves without a gap, then rolls, then drops the old weights', async () => {
    const serving = await setUp();
    await serving.apply(servingSpec);
    await serving.reaches('Running');
    const [old] = await claims(serving);
    const gaps: number[] = [];
    const stop = new AbortController();
    const probing = (async () => {
      while (!stop.signal.aborted) if (!(await endpointHasAddress(serving))) gaps.push(Date.now());
    })();
    await serving.apply({ ...servingSpec, model: { uri: 's3://models/second/' } });
    await serving.shows(({ status }) => {
      expect(status?.phase).toBe('Updating');
      expect(status?.conditions?.find(({ type }) => type === 'Available')?.status).toBe('True');
    });
    await serving.shows(({ status }) =>
      expect(status).toMatchObject({ phase: 'Running', weights: { uri: 's3://models/second/' } }),
    );
    await eventually(async () => expect(await claims(serving)).not.toContain(old));
    expect(await claims(serving)).toHaveLength(1);
    stop.abort();
    await probing;
    expect(gaps).toEqual([]);
  });

  it('ends where it should when a change is taken back while it rolls', async () => {
    const serving = await setUp();
    await serving.apply(servingSpec);
    await serving.reaches('Running');
    const first = await claims(serving);
    await serving.apply({ ...servingSpec, model: { uri: 's3://models/second/' } });
    await serving.reaches('Updating');
    await serving.apply(servingSpec);
    await serving.shows(({ status }) =>
      expect(status).toMatchObject({ phase: 'Running', weights: { uri: 's3://models/first/' } }),
    );
    await eventually(async () => expect(await claims(serving)).toEqual(first));
  });

  it('drains when it is retired: out of the Service first, then, with no request in flight, without its pods', async () => {
    const serving = await setUp();
    await serving.apply(servingSpec);
    await serving.reaches('Running');
    await serving.apply({ ...servingSpec, retired: true, successor: 'llama-4' });
    await serving.reaches('Draining');
    await eventually(async () => expect(await admin.find(TYPES.service, serving)).toBeUndefined());
    expect(await deployment(serving)).toBeDefined();
    const retired = await serving.reaches('Retired');
    expect(JSON.stringify(retired.status?.conditions)).toContain('llama-4');
    // That it is retired is in the status before the pods, which alone would tell, are destroyed.
    await eventually(async () => expect(await deployment(serving)).toBeUndefined());
    expect(await claims(serving)).toHaveLength(1);
    await serving.apply({ ...servingSpec, retired: false });
    await serving.reaches('Running');
  });

  it('drains when it is deleted, and leaves nothing behind', async () => {
    const serving = await setUp();
    await serving.apply(servingSpec);
    await serving.reaches('Running');
    await serving.delete();
    await eventually(async () => expect(await admin.find(TYPES.service, serving)).toBeUndefined());
    expect(await deployment(serving)).toBeDefined();
    await eventually(async () => expect(await admin.find(modelServingType, serving)).toBeUndefined(), {
      timeout: 60_000,
    });
    await eventually(async () => {
      expect(await claims(serving)).toEqual([]);
      expect(await deployment(serving)).toBeUndefined();
      expect((await admin.list(TYPES.job, serving)).items).toEqual([]);
    }, COLLECTED);
  });

  it('keeps its volume where that is asked for', async () => {
    const serving = await setUp();
    const spec = { ...servingSpec, storage: { ...servingSpec.storage, retain: true } };
    await serving.apply(spec);
    await serving.reaches('Running');
    const kept = await claims(serving);
    await serving.delete();
    await eventually(async () => expect(await admin.find(modelServingType, serving)).toBeUndefined(), {
      timeout: 60_000,
    });
    expect(await claims(serving)).toEqual(kept);
    await serving.apply(spec);
    await serving.reaches('Running');
    expect(await claims(serving)).toEqual(kept);
  });

  it.each([
    ['ReadWriteOnce', { ...servingSpec, storage: { size: '10Gi' } }],
    ['an existing claim', { ...servingSpec, model: { uri: 'pvc://shared/llama' }, storage: undefined }],
    [
      'an OCI image',
      { ...servingSpec, model: { uri: 'oci://registry.example.com/models/llama:1' }, storage: undefined },
    ],
  ])('runs on %s, with no Job', async (_, spec) => {
    const serving = await setUp();
    const { namespace } = serving;
    await admin.create(TYPES.persistentVolumeClaim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'shared', namespace },
      spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
    });
    const { storage, ...rest } = spec;
    await serving.apply(storage === undefined ? rest : { ...rest, storage });
    await serving.reaches('Running');
    expect((await admin.list(TYPES.job, { namespace })).items).toEqual([]);
  });
});
