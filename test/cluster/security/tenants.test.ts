import { beforeAll, describe, expect, it } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { kinds } from '../../../compat/kinds/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { ApiError, isNotFound } from '../../../operator/kube/client/errors.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { mark, type Mark, mutationsSince, requestsSince } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { COLLECTED, eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, OPERATOR_USER, startOperator, stopOperators } from '../support/operator.ts';
import { modelServingType, ServingUnderTest, servingSpec } from '../support/serving.ts';
import { rest } from '../support/writes.ts';
import { tenantOf, MAY_SERVE } from './support/tenant.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** Takes a GPU from nobody. */
const small = {
  model: { uri: 'pvc://shared/llama' },
  engine: { type: 'vllm' },
  resources: { gpu: 0, cpu: '1' },
  replicas: 0,
} satisfies ModelServingSpecInput;

interface Town {
  /** The namespace of the hostile tenant. */
  readonly theirs: string;
  readonly tenant: KubeClient;
  /** In the other namespace. */
  readonly victim: ServingUnderTest;
}

/** Two tenants on one operator, of whom one runs a service with a volume and a Secret beside it. */
async function twoTenants(rules = [MAY_SERVE]): Promise<Town> {
  const [theirs, ours] = [await testNamespace(admin), await testNamespace(admin)];
  await admin.create(TYPES.persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'shared', namespace: ours },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  });
  await admin.create(TYPES.secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'ours', namespace: ours },
    stringData: { HF_TOKEN: 'a' },
  });
  await startOperator(admin, undefined);
  const victim = new ServingUnderTest(admin, ours);
  await victim.apply({ ...servingSpec, resources: { gpu: 0, cpu: '1', memory: '1Gi' } });
  await victim.reaches('Running');
  // That it runs is told in an event as well.
  await rest(admin);
  return { theirs, tenant: await tenantOf(admin, theirs, rules), victim };
}

const resource = (town: Town, name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'trunnion.dev/v1alpha1',
  kind: 'ModelServing',
  metadata: { name, namespace: town.theirs, ...metadata },
  spec,
});

/** Every object of the victim, by version. */
async function versions({ victim }: Town): Promise<readonly string[]> {
  const lists = await Promise.all(
    [
      modelServingType,
      TYPES.pod,
      ...kinds.flatMap(({ childTypes }) => childTypes.filter(({ optional }) => optional !== true)),
    ].map(async (type) => {
      const { items } = await admin.list(type, victim);
      return items.map(({ metadata }) => `${type.plural}/${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`);
    }),
  );
  return [...new Set(lists.flat())].toSorted();
}

/** What the operator did in the victim's namespace; of its reads those of single objects, since watches are of all. */
async function touched({ victim: { namespace } }: Town, from: Mark): Promise<readonly string[]> {
  const requests = await requestsSince(admin, from);
  return requests
    .filter((request) => request.user === OPERATOR_USER && request.namespace === namespace)
    .map(({ verb, resource: what, name }) => `${verb} ${what}/${name}`);
}

const refusal = async (work: Promise<unknown>): Promise<number> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
  return 0;
};

const notFound = (error: unknown): void => {
  if (!isNotFound(error)) throw error;
};

/** Waits until the operator has dealt with a resource. */
const dealtWith = (town: Town, name: string): Promise<KubeObject> =>
  eventually(async () => {
    const live = await admin.get(modelServingType, { namespace: town.theirs, name });
    expect(live['status']).toMatchObject({ observedGeneration: live.metadata.generation });
    return live;
  });

describe('a tenant who may make ModelServings in a namespace of its own', () => {
  it('reaches nothing of another namespace, by whatever a resource may say', async () => {
    const town = await twoTenants();
    const { tenant, theirs, victim } = town;
    const before = await versions(town);
    const from = mark();
    const owner = (await victim.get()).metadata;
    const deployment = (await admin.get(TYPES.deployment, victim)).metadata;
    const labels = {
      'app.kubernetes.io/name': 'model-serving',
      'app.kubernetes.io/instance': victim.name,
      'app.kubernetes.io/component': 'server',
      'app.kubernetes.io/part-of': 'trunnion',
      'app.kubernetes.io/managed-by': 'trunnion',
    };
    const owned = (kind: string, apiVersion: string, { name, uid }: { name: string; uid: string }) => ({
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    });

    const attempts: readonly (readonly [name: string, spec: object, metadata?: object])[] = [
      // The same name, and so the same names of children.
      [victim.name, servingSpec, { labels, annotations: { 'trunnion.dev/weights': 'a' } }],
      ['by-claim', { ...small, model: { uri: 'pvc://shared/llama' } }],
      ['by-secret', { ...small, env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'ours', key: 'HF_TOKEN' } } }] }],
      [
        'by-no-secret',
        { ...small, env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'none', key: 'HF_TOKEN' } } }] },
      ],
      ['by-successor', { ...small, retired: true, successor: victim.name }],
      ['by-labels', small, { labels }],
      ['by-finalizer', small, { finalizers: ['trunnion.dev/drain', 'example.com/theirs'] }],
      ['by-serving', { ...small, podTemplate: { metadata: { labels: { app: victim.name } } } }],
    ];
    for (const [name, spec, metadata] of attempts) {
      await tenant.create(modelServingType, resource(town, name, spec, metadata));
    }
    // The garbage collector takes what belongs to nobody of its namespace.
    await tenant.create(
      modelServingType,
      resource(town, 'by-owner', small, owned('ModelServing', 'trunnion.dev/v1alpha1', owner)),
    );
    await tenant.create(
      modelServingType,
      resource(town, 'by-deployment', small, owned('Deployment', 'apps/v1', deployment)),
    );
    for (const [name] of attempts) await dealtWith(town, name);

    const elsewhere = resource(town, 'intruder', small, { namespace: victim.namespace });
    expect(await refusal(tenant.create(modelServingType, elsewhere))).toBe(403);
    expect(await refusal(tenant.delete(modelServingType, victim))).toBe(403);
    const forged = { status: { phase: 'Running', served: { spec: small } } };
    const own = { namespace: theirs, name: 'by-claim' };
    expect(await refusal(tenant.patch(modelServingType, own, forged, { subresource: 'status' }))).toBe(403);

    // What there is elsewhere can't be told from what there isn't.
    const words = async (name: string): Promise<string> => {
      const { status } = await admin.get(modelServingType, { namespace: theirs, name });
      const { conditions } = status as { conditions: readonly { type: string; reason: string; message: string }[] };
      return JSON.stringify(conditions.map(({ type, reason, message }) => [type, reason, message]));
    };
    // Each is looked at in its own time.
    await eventually(async () =>
      expect((await words('by-secret')).replaceAll('ours', 'none')).toBe(await words('by-no-secret')),
    );

    expect(await touched(town, from)).toEqual([]);
    expect(await versions(town)).toEqual(before);
    await victim.reaches('Running');
  });

  it('is taken for no child of another, with objects that look like it', async () => {
    const rules = [
      MAY_SERVE,
      {
        apiGroups: ['', 'apps'],
        resources: ['configmaps', 'pods', 'deployments', 'services'],
        verbs: ['create', 'patch'],
      },
    ];
    const town = await twoTenants(rules);
    const { tenant, theirs, victim } = town;
    const before = await versions(town);
    const from = mark();
    const { uid } = (await victim.get()).metadata;
    const controller = { apiVersion: 'trunnion.dev/v1alpha1', kind: 'ModelServing', name: victim.name, uid };
    const { labels = {} } = (await admin.get(TYPES.deployment, victim)).metadata;
    const metadata = {
      namespace: theirs,
      labels,
      ownerReferences: [{ ...controller, controller: true, blockOwnerDeletion: false }],
    };
    const fake = { fieldManager: 'trunnion', force: true };
    await tenant.apply(
      TYPES.configMap,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { ...metadata, name: `${victim.name}-fetcher` },
        data: { a: 'b' },
      },
      fake,
    );
    await tenant.apply(
      TYPES.pod,
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...metadata, name: `${victim.name}-server-0` },
        spec: { containers: [{ name: 'server', image: 'a:1' }] },
      },
      fake,
    );
    await tenant.apply(
      TYPES.service,
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { ...metadata, name: victim.name },
        spec: { selector: labels, ports: [{ name: 'http', port: 8000, targetPort: 'http', protocol: 'TCP' }] },
      },
      fake,
    );
    // The garbage collector finds no such owner in their namespace, once it has learned of the kind.
    await eventually(
      async () => expect(await admin.find(TYPES.service, { namespace: theirs, name: victim.name })).toBeUndefined(),
      COLLECTED,
    );
    expect(await touched(town, from)).toEqual([]);
    expect(await versions(town)).toEqual(before);
    expect((await victim.reaches('Running')).status).toMatchObject({ replicas: 1, readyReplicas: 1 });
  });

  it('with 500 resources at once keeps nobody waiting', async () => {
    const town = await twoTenants();
    const { tenant, theirs, victim } = town;
    const from = mark();
    const names = Array.from({ length: 500 }, (_, index) => `many-${index}`);
    const eachOf = async (work: (name: string) => Promise<unknown>): Promise<void> => {
      for (let index = 0; index < names.length; index += 50)
        await Promise.all(names.slice(index, index + 50).map(work));
    };
    await eachOf((name) => tenant.create(modelServingType, resource(town, name, small)));
    const patched = await admin.patch(modelServingType, victim, { spec: { replicas: 2 } });
    await eventually(async () => {
      const { status } = await victim.get();
      expect(status).toMatchObject({ observedGeneration: patched.metadata.generation });
    });
    const writes = (await mutationsSince(admin, from)).filter(({ user }) => user === OPERATOR_USER);
    const served = writes.findIndex(
      ({ namespace, resource: what }) => namespace === victim.namespace && what === 'deployments',
    );
    const finished = new Set(
      writes
        .slice(0, served)
        .flatMap(({ namespace, resource: what, name }) =>
          namespace === theirs && what === 'modelservings/status' ? [name] : [],
        ),
    );
    expect(served).toBeGreaterThan(-1);
    expect(finished.size).toBeLessThan(names.length / 2);
    await victim.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 2 }));
    // Later tests of this part need not work them off.
    await stopOperators();
    const noFinalizer = { metadata: { finalizers: null } };
    await eachOf((name) => tenant.delete(modelServingType, { namespace: theirs, name }));
    await eachOf((name) => tenant.patch(modelServingType, { namespace: theirs, name }, noFinalizer).catch(notFound));
  });
});
