import { untilTestEnds } from '../support/in-process.ts';
import { expect, test } from 'vitest';
import { crdOf } from '../../../constructs/schema/crd.ts';
import { defineSchema } from '../../../constructs/schema/kind.ts';
import { conversionService, webhookOf } from '../../../operator/conversion/index.ts';
import { createLogger } from '../../../operator/engine/telemetry/log.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { TRUNNION } from '../../../operator/trunnion.ts';
import { runOperator } from '../../../operator/operator.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import {
  type Balancer,
  body,
  conversionClient,
  convert,
  NEW,
  OLD,
  OPERATOR,
  readyMessage,
  serveWebApps,
  startBalancer,
  webApp,
  webAppKind,
} from '../support/web-apps.ts';

const admin = adminClient();

interface World {
  readonly namespace: string;
  readonly balancer: Balancer;
}

/** A namespace, and an API server that converts by one replica. */
async function world(): Promise<World> {
  const namespace = await testNamespace(admin);
  const balancer = await startBalancer();
  await serveWebApps(admin, balancer);
  const conversions = convert(await conversionClient(admin, namespace), namespace);
  balancer.replicas = [await conversions.listening];
  await eventually(() => admin.list(OLD, { namespace }));
  // Nothing is converted where there is nothing: one object shows that all trust the certificate.
  await eventually(() =>
    admin.apply(OLD, body(OLD, namespace, 'probe', { repository: 'probe' }), { fieldManager: 'test' }),
  );
  return { namespace, balancer };
}

const specOf = async (type: typeof NEW, namespace: string, name = 'a'): Promise<unknown> =>
  (await admin.get(type, { namespace, name }))['spec'];

/** An operator that runs web apps in a namespace, as an administrator. */
async function runWebApps(namespace: string): Promise<() => Promise<void>> {
  const { url, ca, token } = cluster();
  return untilTestEnds((running) =>
    runOperator({
      connection: { from: 'fixed', connection: { url, ca, authorization: `Bearer ${token}`, namespace } },
      identity: TRUNNION,
      kinds: [webAppKind],
      namespace,
      port: 0,
      host: '127.0.0.1',
      log: createLogger('silent'),
      ...running,
    }),
  );
}

test('the API server takes a CRD that names a Service, and that Service', async () => {
  const namespace = await testNamespace(admin);
  const operator = { name: OPERATOR, namespace };
  const crd = crdOf(webApp, webhookOf(operator));
  await admin.apply(TYPES.customResourceDefinition, crd, { fieldManager: 'test', dryRun: true });
  const service = conversionService({ ...operator, selector: { app: 'acme' } });
  await admin.apply(TYPES.service, service, { fieldManager: 'test', dryRun: true });
});

test('what is made in one version is read in the other, and back without a loss', async () => {
  const { namespace } = await world();
  const old = { repository: 'nginx', tag: '1', replicas: 2, service: { port: 80 }, env: { A: 'b' } };
  const current = { image: 'nginx:1', replicas: 2, port: 80, env: [{ name: 'A', value: 'b' }] };
  await admin.create(OLD, body(OLD, namespace, 'a', old));
  expect(await specOf(NEW, namespace)).toEqual(current);
  expect(await specOf(OLD, namespace)).toEqual(old);
  await admin.create(NEW, body(NEW, namespace, 'b', current));
  expect(await specOf(OLD, namespace, 'b')).toEqual(old);
  const list = await admin.list(OLD, { namespace });
  expect(list.items.map((item) => [item.metadata.name, item['spec']])).toEqual([
    ['a', old],
    ['b', old],
    ['probe', { repository: 'probe', replicas: 1 }],
  ]);
});

test('metadata and status are those of the other version', async () => {
  const { namespace } = await world();
  const { metadata } = await admin.create(OLD, {
    ...body(OLD, namespace, 'a', { repository: 'nginx' }),
    metadata: { namespace, name: 'a', labels: { a: 'b' }, annotations: { c: 'd' } },
  });
  const status = { url: 'http://a', observedGeneration: 1, conditions: [] };
  await admin.patch(NEW, { namespace, name: 'a' }, { status }, { subresource: 'status', fieldManager: 'operator' });
  const [current, old] = [
    await admin.get(NEW, { namespace, name: 'a' }),
    await admin.get(OLD, { namespace, name: 'a' }),
  ];
  expect(old).toMatchObject({ status, metadata: { uid: metadata.uid, labels: { a: 'b' }, annotations: { c: 'd' } } });
  expect(old.metadata).toEqual(current.metadata);
});

test('the same manager may apply in either version: nothing changes, and what it leaves out goes', async () => {
  const { namespace } = await world();
  const user = { fieldManager: 'user' };
  const first = await admin.apply(
    OLD,
    body(OLD, namespace, 'a', { repository: 'nginx', tag: '1', env: { A: 'b' } }),
    user,
  );
  for (let times = 0; times < 2; times += 1) {
    const current = { image: 'nginx:1', env: [{ name: 'A', value: 'b' }] };
    const { metadata } = await admin.apply(NEW, body(NEW, namespace, 'a', current), user);
    expect(metadata.generation).toBe(first.metadata.generation);
    const again = body(OLD, namespace, 'a', { repository: 'nginx', tag: '1', env: { A: 'b' } });
    expect((await admin.apply(OLD, again, user)).metadata.generation).toBe(first.metadata.generation);
  }
  await admin.apply(NEW, body(NEW, namespace, 'a', { image: 'nginx:1' }), user);
  expect(await specOf(NEW, namespace)).toEqual({ image: 'nginx:1', replicas: 1 });
  // A tag is a part of an image there: the apply that changes the version leaves it, and the next ones do not.
  for (const [tag, image] of [
    [undefined, 'nginx:1'],
    ['2', 'nginx:2'],
    [undefined, 'nginx'],
  ] as const) {
    await admin.apply(OLD, body(OLD, namespace, 'a', { repository: 'nginx', ...(tag && { tag }) }), user);
    expect(await specOf(NEW, namespace)).toEqual({ image, replicas: 1 });
  }
});

test('two managers may apply in two versions: where they agree nobody loses, and where they do not each is told', async () => {
  const { namespace } = await world();
  const old = body(OLD, namespace, 'a', { repository: 'nginx', tag: '1' });
  const current = body(NEW, namespace, 'a', { image: 'nginx:1', port: 80 });
  await admin.apply(OLD, old, { fieldManager: 'old' });
  const { metadata } = await admin.apply(NEW, current, { fieldManager: 'new' });
  for (let times = 0; times < 3; times += 1) {
    expect((await admin.apply(OLD, old, { fieldManager: 'old' })).metadata.resourceVersion).toBe(
      metadata.resourceVersion,
    );
    expect((await admin.apply(NEW, current, { fieldManager: 'new' })).metadata.resourceVersion).toBe(
      metadata.resourceVersion,
    );
  }
  const other = body(OLD, namespace, 'a', { repository: 'nginx', tag: '2' });
  await expect(admin.apply(OLD, other, { fieldManager: 'old' })).rejects.toThrow(/conflict with "new".*\.spec\.image/s);
  const changed = body(NEW, namespace, 'a', { image: 'nginx:2', port: 80 });
  await expect(admin.apply(NEW, changed, { fieldManager: 'new' })).rejects.toThrow(/conflict with "old".*\.spec\.tag/s);
  expect(await specOf(NEW, namespace)).toEqual({ image: 'nginx:1', port: 80, replicas: 1 });
});

test('scale works in both versions', async () => {
  const { namespace } = await world();
  await admin.create(OLD, body(OLD, namespace, 'a', { repository: 'nginx' }));
  for (const [type, replicas] of [
    [OLD, 3],
    [NEW, 4],
  ] as const) {
    await admin.patch(type, { namespace, name: 'a' }, { spec: { replicas } }, { subresource: 'scale' });
    expect(await specOf(NEW, namespace)).toMatchObject({ replicas });
  }
});

test('a conversion that fails is a message of the API server that names resource, versions and function', async () => {
  const { namespace, balancer } = await world();
  const failing = {
    ...webApp,
    versions: webApp.versions.map((version) => ({
      ...version,
      ...(version.toStored && {
        toStored: () => {
          throw new Error('this image is not known');
        },
      }),
    })),
  };
  const conversions = convert(admin, namespace, { kinds: [failing] });
  balancer.replicas = [await conversions.listening];
  await eventually(() =>
    expect(admin.create(OLD, body(OLD, namespace, 'a', { repository: 'nginx' }))).rejects.toThrow(
      `conversion webhook for acme.dev/v1beta1, Kind=WebApp failed: WebApp ${namespace}/a can't be converted from acme.dev/v1beta1 to acme.dev/v1: toStored of v1beta1 failed: Error: this image is not known`,
    ),
  );
});

test('two replicas share a certificate, and either may go', async () => {
  const { namespace, balancer } = await world();
  const [one, other] = [convert(admin, namespace), convert(admin, namespace)];
  const ports = await Promise.all([one.listening, other.listening]);
  await admin.create(OLD, body(OLD, namespace, 'a', { repository: 'nginx' }));
  for (const replicas of [ports, ports.slice(0, 1), ports.slice(1), ports]) {
    balancer.replicas = replicas;
    for (let times = 0; times < 4; times += 1) {
      expect(await specOf(OLD, namespace)).toMatchObject({ repository: 'nginx' });
    }
  }
  await one.close();
  balancer.replicas = ports.slice(1);
  expect(await specOf(OLD, namespace)).toMatchObject({ repository: 'nginx' });
});

test('without a converter the stored version works, and an operator starts and runs what is written in it', async () => {
  const { namespace, balancer } = await world();
  await admin.create(OLD, body(OLD, namespace, 'old', { repository: 'nginx' }));
  await admin.create(NEW, body(NEW, namespace, 'new', { image: 'nginx' }));
  balancer.replicas = [];
  const words = 'conversion webhook for acme.dev/v1, Kind=WebApp failed: Post "https://127.0.0.1:';
  await expect(admin.get(OLD, { namespace, name: 'new' }, { retry: false })).rejects.toThrow(words);
  await runWebApps(namespace);
  const reported = async (name: string) => readyMessage(await admin.get(NEW, { namespace, name }));
  await eventually(async () => expect(await reported('new')).toBe('nginx'));
  expect(await specOf(NEW, namespace, 'old')).toEqual({ image: 'nginx', replicas: 1 });
  // Its fields have an owner of the old version, so that each write of it needs a conversion.
  expect(await reported('old')).toBeUndefined();
  const conversions = convert(admin, namespace);
  balancer.replicas = [await conversions.listening];
  await eventually(async () => expect(await reported('old')).toBe('nginx'), { timeout: 60_000 });
});

test('resources that were stored in an older version are run: the operator converts before its caches are complete', async () => {
  const namespace = await testNamespace(admin);
  const balancer = await startBalancer();
  const [, old] = webApp.versions.toReversed();
  const before = defineSchema({
    ...webApp,
    version: 'v1beta1',
    spec: old?.spec ?? webApp.spec,
    rules: [],
    versions: [],
  });
  await serveWebApps(admin, { port: balancer.port, kind: before });
  await admin.create(OLD, body(OLD, namespace, 'a', { repository: 'nginx', tag: '1' }));
  await serveWebApps(admin, balancer);
  // A version that a CRD has just got is served a moment later.
  await eventually(async () => {
    const read = admin.get(NEW, { namespace, name: 'a' }, { retry: false });
    await expect(read).rejects.toThrow('conversion webhook for acme.dev/v1beta1, Kind=WebApp failed');
  });
  const running = runWebApps(namespace);
  const conversions = convert(await conversionClient(admin, namespace), namespace);
  balancer.replicas = [await conversions.listening];
  await running;
  await eventually(
    async () => {
      const found: KubeObject = await admin.get(NEW, { namespace, name: 'a' });
      expect(readyMessage(found)).toBe('nginx:1');
    },
    { timeout: 60_000 },
  );
  expect(await admin.get(TYPES.configMap, { namespace, name: 'a' })).toMatchObject({ data: { image: 'nginx:1' } });
});
