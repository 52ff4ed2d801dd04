import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../../cluster/index.ts';
import {
  ApiError,
  connect,
  digestOf,
  digestOfOwned,
  Discovery,
  EventRecorder,
  KubeClient,
  type KubeObject,
  LeaderElection,
  type Observation,
  ownsPath,
  Reflector,
  type ReflectorEvent,
  Store,
} from '../../operator/kube/index.ts';
import { children } from './support/children.ts';
import { adminClient } from './support/client.ts';
import { cluster } from './support/cluster.ts';
import { eventually } from './support/eventually.ts';
import { testNamespace } from './support/namespace.ts';
import { types } from './support/types.ts';

const MANAGER = { fieldManager: 'trunnion', force: true };

function configMap(namespace: string, name: string, data: Readonly<Record<string, string>> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

function reflect(client: KubeClient, namespace: string) {
  const events: ReflectorEvent[] = [];
  const store = new Store<KubeObject>({ transform: (object) => object });
  const reflector = new Reflector({
    client,
    type: types.configMap,
    namespace,
    store,
    tell: (event) => events.push(event),
  });
  onTestFinished(() => reflector.stop());
  reflector.start();
  return { events, store, reflector };
}

describe('server-side apply', () => {
  test.each(children('').map(([type], index) => [type.kind, index] as const))(
    'leaves a %s whose owned fields have the digest of its manifest',
    async (_kind, index) => {
      const admin = adminClient();
      const namespace = await testNamespace(admin);
      const { metadata: owner } = await admin.create(types.configMap, configMap(namespace, 'owner'));
      const [type, child] = children(namespace)[index] ?? expect.unreachable();
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.uid };
      const ownerReferences = [{ ...reference, controller: true, blockOwnerDeletion: true }];
      const manifest = { ...child, metadata: { ...child.metadata, ownerReferences } };
      const applied = await admin.apply(type, manifest, MANAGER);
      expect(digestOfOwned(applied, 'trunnion')).toBe(digestOf(manifest));

      const ref = { namespace: manifest.metadata.namespace ?? '', name: 'llama' };
      await admin.patch(type, ref, { metadata: { labels: { 'app.kubernetes.io/instance': 'drifted' } } });
      const drifted = await admin.get(type, ref);
      expect(digestOfOwned(drifted, 'trunnion')).not.toBe(digestOf(manifest));

      await admin.apply(type, manifest, MANAGER);
      await admin.patch(type, ref, { metadata: { labels: { theirs: 'kept' }, annotations: { theirs: 'kept' } } });
      expect(digestOfOwned(await admin.get(type, ref), 'trunnion')).toBe(digestOf(manifest));
    },
  );

  test('shows an order of list items that has changed, and applying restores it', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const [type, manifest] = children(namespace).find(([{ kind }]) => kind === 'Deployment') ?? expect.unreachable();
    const live = await admin.apply(type, manifest, MANAGER);
    const reversed = JSON.parse(JSON.stringify(manifest)) as {
      spec: { template: { spec: { containers: { env: object[] }[]; volumes: object[] } } };
    } & typeof manifest;
    reversed.spec.template.spec.containers[0]?.env.reverse();
    reversed.spec.template.spec.volumes.reverse();
    expect(digestOf(reversed)).not.toBe(digestOfOwned(live, 'trunnion'));
    const applied = await admin.apply(type, reversed, MANAGER);
    expect(digestOfOwned(applied, 'trunnion')).toBe(digestOf(reversed));
  });

  test('with resourceVersion 1 makes an object, and leaves alone one that is there', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const body = configMap(namespace, 'mine', { a: '1' });
    const createOnly = { ...body, metadata: { ...body.metadata, resourceVersion: '1' } };
    const made = await admin.apply(types.configMap, createOnly, MANAGER);
    expect(ownsPath(made, 'trunnion', 'data.a')).toBe(true);
    expect(ownsPath(made, 'trunnion', 'data.b')).toBe(false);
    await expect(admin.apply(types.configMap, createOnly, MANAGER)).rejects.toMatchObject({ status: 409 });
    expect((await admin.get(types.configMap, { namespace, name: 'mine' })).metadata.resourceVersion).toBe(
      made.metadata.resourceVersion,
    );
  });

  test('with the UID of an object that is gone neither brings it back nor hits a namesake', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const first = await admin.create(types.configMap, configMap(namespace, 'x'));
    await admin.delete(types.configMap, { namespace, name: 'x' }, { uid: first.metadata.uid });
    const body = configMap(namespace, 'x', { a: '1' });
    const ours = { ...body, metadata: { ...body.metadata, uid: first.metadata.uid } };
    await expect(admin.apply(types.configMap, ours, MANAGER)).rejects.toMatchObject({ status: 409 });
    await admin.create(types.configMap, configMap(namespace, 'x'));
    await expect(admin.apply(types.configMap, ours, MANAGER)).rejects.toMatchObject({ status: 422 });
  });
});

describe('the client', () => {
  test('deletes only the object that it means', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const { metadata } = await admin.create(types.configMap, configMap(namespace, 'x'));
    const ref = { namespace, name: 'x' };
    const { uid, resourceVersion } = metadata;
    await expect(admin.delete(types.configMap, ref, { uid: 'another' })).rejects.toMatchObject({ status: 409 });
    await expect(admin.delete(types.configMap, ref, { uid, resourceVersion: '1' })).rejects.toMatchObject({
      status: 409,
    });
    expect(await admin.delete(types.configMap, ref, { uid, resourceVersion })).toBeUndefined();
    expect(await admin.delete(types.configMap, ref, { uid, resourceVersion })).toBeUndefined();
    expect(await admin.find(types.configMap, ref)).toBeUndefined();
  });

  test('hands on what the server says of a body that it refuses', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const refused = await admin
      .create(types.service, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'x', namespace },
        spec: { ports: [{ port: 99_999 }] },
      })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 422, reason: 'Invalid', message: expect.stringContaining('99999') });
  });

  test('loads a kubeconfig in a child process', async () => {
    const source = connect({ from: 'kubeconfig', path: cluster().kubeconfig });
    const client = new KubeClient({ connection: source });
    onTestFinished(() => client.close());
    expect((await client.get(types.namespace, { name: 'default' })).kind).toBe('Namespace');
    const missing = connect({ from: 'kubeconfig', path: cluster().kubeconfig, context: 'nowhere' });
    await expect(missing.current()).rejects.toThrow('no context "nowhere"');
  });

  test('knows which types are served', async () => {
    const discovery = new Discovery(adminClient());
    expect(await discovery.isServed(types.deployment)).toBe(true);
    expect(await discovery.isServed({ group: 'apps', version: 'v1', kind: 'Nothing', plural: 'nothings' })).toBe(false);
    const absent = { group: 'absent.example.org', version: 'v1', kind: 'Thing', plural: 'things' };
    expect(await discovery.isServed(absent)).toBe(false);
  });

  test('records an event once, and counts its repetitions', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const object = await admin.create(types.configMap, configMap(namespace, 'x'));
    const dropped: string[] = [];
    const recorder = new EventRecorder({
      client: admin,
      controller: 'trunnion.dev/operator',
      instance: 'test',
      seriesMs: 50,
      dropped: (reason) => dropped.push(reason),
    });
    for (let time = 0; time < 5; time += 1) {
      recorder.record(object, { type: 'Normal', reason: 'Tried', action: 'Try', message: 'It was tried.' });
    }
    await eventually(async () => {
      const { items } = await admin.list(types.event, { namespace });
      const ours = items.filter(({ reason }) => reason === 'Tried');
      expect(ours).toMatchObject([{ series: { count: 5 } }]);
    });
    await recorder.stop(1_000);
    expect(dropped).toEqual([]);
  });
});

describe('the reflector', () => {
  test('streams the initial list, and sees what is made, changed and deleted', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const { events, store, reflector } = reflect(admin, namespace);
    await reflector.synced;
    expect(events).toMatchObject([{ type: 'listed', streamed: true }]);
    const seen: string[] = [];
    reflector.onChange((change) => seen.push(`${change.type} ${change.key}`));
    await admin.create(types.configMap, configMap(namespace, 'x'));
    await admin.apply(types.configMap, configMap(namespace, 'x', { a: '1' }), MANAGER);
    await admin.delete(types.configMap, { namespace, name: 'x' });
    const key = `${namespace}/x`;
    await eventually(() =>
      expect(seen.filter((line) => line.endsWith('/x'))).toEqual([`added ${key}`, `updated ${key}`, `deleted ${key}`]),
    );
    expect(store.get(key)).toBeUndefined();
  });

  test('has our own write as soon as it is answered', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const { store, reflector } = reflect(admin, namespace);
    await reflector.synced;
    for (let write = 0; write < 20; write += 1) {
      const { metadata } = await admin.apply(
        types.configMap,
        configMap(namespace, 'x', { write: `${write}` }),
        MANAGER,
      );
      store.wrote({ ...configMap(namespace, 'x'), metadata });
      expect(store.get(`${namespace}/x`)?.metadata.resourceVersion).toBe(metadata.resourceVersion);
    }
    const uid = store.get(`${namespace}/x`)?.metadata.uid ?? '';
    await admin.delete(types.configMap, { namespace, name: 'x' }, { uid });
    store.wroteDelete(`${namespace}/x`, uid);
    expect(store.get(`${namespace}/x`)).toBeUndefined();
  });

  test('outlives the API server, killed and started again', async () => {
    const cluster = await startCluster({ nodes: 1, pace: 0.1 });
    onTestFinished(() => cluster.stop());
    const { url, ca, token } = cluster;
    const connection = { url, ca, authorization: `Bearer ${token}`, namespace: 'default' };
    const observed: Observation[] = [];
    const client = new KubeClient({
      connection: connect({ from: 'fixed', connection }),
      observe: (o) => observed.push(o),
    });
    const { store, reflector } = reflect(client, 'default');
    await client.create(types.configMap, configMap('default', 'before'));
    await reflector.synced;

    await cluster.kill('kube-apiserver');
    await eventually(() => expect(reflector.state.state).toBe('retrying'));
    expect(store.get('default/before')).toBeDefined();
    await sleep(1_000);
    await cluster.start('kube-apiserver');
    await eventually(() => client.create(types.configMap, configMap('default', 'after')), { timeout: 60_000 });
    await eventually(() => expect(store.get('default/after')).toBeDefined(), { timeout: 60_000 });
    expect(reflector.state.state).toBe('live');
    expect(store.get('default/before')).toBeDefined();
    expect(observed.filter(({ verb }) => verb === 'list' || verb === 'watch').length).toBeLessThan(20);
    await client.close();
  });
});

describe('the lease', () => {
  const TIMING = { leaseMs: 3_000, renewMs: 2_000, retryMs: 200 };

  function candidate(namespace: string, identity: string, log: string[]) {
    const { url, ca, token } = cluster();
    const connection = { url, ca, authorization: `Bearer ${token}`, namespace };
    const election = new LeaderElection({
      connection: { from: 'fixed', connection },
      lease: { namespace, name: 'operator' },
      identity,
      timing: TIMING,
      changed: (leading) => log.push(`${identity} ${leading ? 'leads' : 'ceases'}`),
    });
    onTestFinished(() => election.stop());
    election.start();
    return election;
  }

  test('has one holder at a time, who hands it over at once when it stops', async () => {
    const namespace = await testNamespace(adminClient());
    const log: string[] = [];
    const first = candidate(namespace, 'a', log);
    await eventually(() => expect(first.isLeader()).toBe(true));
    const second = candidate(namespace, 'b', log);
    await sleep(4_000);
    expect([first.isLeader(), second.isLeader()]).toEqual([true, false]);
    expect(() => second.gate('PATCH', '/x')).toThrow('not the leader');

    const stopped = performance.now();
    const stopping = first.stop();
    expect(first.isLeader()).toBe(false);
    await stopping;
    await eventually(() => expect(second.isLeader()).toBe(true));
    expect(performance.now() - stopped).toBeLessThan(TIMING.leaseMs);
    expect(log).toEqual(['a leads', 'a ceases', 'b leads']);
    const lease = await adminClient().get(types.lease, { namespace, name: 'operator' });
    expect(lease).toMatchObject({ spec: { holderIdentity: 'b' } });
  });

  test('outlasts a busy event loop, and is lost by one that is stuck', async () => {
    const namespace = await testNamespace(adminClient());
    const log: string[] = [];
    const election = candidate(namespace, 'a', log);
    await eventually(() => expect(election.isLeader()).toBe(true));
    block(TIMING.renewMs * 0.6);
    expect(election.isLeader()).toBe(true);
    block(TIMING.renewMs * 2.2);
    expect(election.isLeader()).toBe(false);
    await eventually(() => expect(log.slice(0, 3)).toEqual(['a leads', 'a ceases', 'a leads']));
  });

  function block(ms: number): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  }
});
