import { App, Chart } from 'cdk8s';
import { beforeAll, describe, expect, it } from 'vitest';
import { ModelServing, type ModelServingSpecInput } from '../../../constructs/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { modelServingType, ServingUnderTest, servingSpec } from '../support/serving.ts';
import { childType, occupy } from './support/occupy.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const spec = {
  ...servingSpec,
  replicas: 2,
  resources: { gpu: 0, cpu: '1', memory: '1Gi' },
  expose: { ingress: { host: 'llama.example.com' } },
} satisfies ModelServingSpecInput;

async function setUp(name?: string): Promise<ServingUnderTest> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  return new ServingUnderTest(admin, namespace, name);
}

const asItIs = async (object: KubeObject): Promise<object | undefined> => {
  const live = await admin.find(childType(object), object.metadata);
  if (live === undefined) return undefined;
  // Its controllers continue writing its status.
  const { resourceVersion: _, managedFields, ...metadata } = live.metadata;
  const managers = [...new Set(managedFields?.map(({ manager }) => manager))].filter(
    (manager) => manager?.startsWith('trunnion') === true,
  );
  return { metadata, spec: live['spec'], data: live['data'], managers };
};

/** Waits until Kubernetes has put into it what it puts into each of its kind, of its own accord. */
const taken = ({ apiVersion, kind, metadata }: KubeObject): Promise<void> =>
  eventually(async () => {
    const live = await admin.get(childType({ apiVersion, kind }), metadata);
    if (kind === 'Deployment') expect(live.metadata.annotations).toHaveProperty(['deployment.kubernetes.io/revision']);
    if (kind === 'PersistentVolumeClaim') expect(live['status']).toMatchObject({ phase: 'Bound' });
  });

describe("somebody else's objects", () => {
  it('that bear every name and label of ours, managed-by too, stay as they are through a whole life', async () => {
    const serving = await setUp();
    const { namespace, name } = serving;
    const owner = await admin.create(TYPES.configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'somebody', namespace },
    });
    const controller = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'somebody',
      uid: owner.metadata.uid,
      controller: true,
    };
    const rendered = new ModelServing(new Chart(new App(), 'foreign'), 'serving', { name, namespace, spec }).render();
    const { objects } = await occupy(
      admin,
      rendered.map(({ manifest }) => ({
        ...manifest,
        metadata: {
          ...manifest.metadata,
          labels: { ...manifest.metadata.labels, 'app.kubernetes.io/managed-by': 'trunnion' },
          ownerReferences: [controller],
        },
      })),
    );
    await Promise.all(objects.map(taken));
    const before = await Promise.all(objects.map(asItIs));
    await serving.apply(spec);
    await serving.hasCondition('Ready', 'False', 'NameTaken');
    await serving.apply({ ...spec, replicas: 1, retired: true });
    await eventually(async () => expect((await serving.get()).status?.phase).toBe('Retired'), { timeout: 60_000 });
    await serving.delete();
    await eventually(async () => expect(await admin.find(modelServingType, serving)).toBeUndefined());
    expect(await Promise.all(objects.map(asItIs))).toEqual(before);
    for (const was of before) expect(was).toMatchObject({ managers: [] });
  });

  it.each([
    ['a ServiceAccount, whose rights its pods would get', 'ServiceAccount', 'deployer'],
    ["a namespace's own ServiceAccount", undefined, 'default'],
    ['a NetworkPolicy that lets everything out', 'NetworkPolicy', 'open'],
  ])('of its name keep a service from running: %s', async (_, kind, name) => {
    const serving = await setUp(name);
    const { namespace } = serving;
    const metadata = { name, namespace };
    if (kind === 'ServiceAccount') await admin.create(TYPES.serviceAccount, { apiVersion: 'v1', kind, metadata });
    if (kind === 'NetworkPolicy') {
      const open = { podSelector: {}, policyTypes: ['Egress'], egress: [{}] };
      await admin.create(TYPES.networkPolicy, { apiVersion: 'networking.k8s.io/v1', kind, metadata, spec: open });
    }
    await serving.apply(spec);
    await serving.hasCondition('Ready', 'False', 'NameTaken');
    expect((await admin.list(TYPES.pod, { namespace })).items).toEqual([]);
    expect((await admin.list(TYPES.job, { namespace })).items).toEqual([]);
    expect(await admin.find(TYPES.deployment, serving)).toBeUndefined();
  });

  it("of a name that another resource's child has leave its pods unprotected for no moment", async () => {
    const serving = await setUp();
    await serving.apply(spec);
    await eventually(async () =>
      expect(
        await admin.find(TYPES.networkPolicy, { namespace: serving.namespace, name: 'llama-fetcher' }),
      ).toBeDefined(),
    );
    const other = new ServingUnderTest(admin, serving.namespace, 'llama-fetcher');
    await other.apply(spec);
    await other.hasCondition('Ready', 'False', 'NameTaken', /NetworkPolicy/);
    expect(await admin.find(TYPES.deployment, other)).toBeUndefined();
  });
});
