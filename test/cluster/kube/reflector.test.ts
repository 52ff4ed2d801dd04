import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../../../cluster/index.ts';
import {
  connect,
  KubeClient,
  type KubeObject,
  type Observation,
  Reflector,
  type ReflectorEvent,
  Store,
} from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { adminClient } from '../support/client.ts';
import { configMap, MANAGER } from '../support/config-map.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';

function reflect(client: KubeClient, namespace: string) {
  const events: ReflectorEvent[] = [];
  const store = new Store<KubeObject>({ transform: (object) => object });
  const reflector = new Reflector({
    client,
    type: TYPES.configMap,
    namespace,
    store,
    report: (event) => events.push(event),
  });
  onTestFinished(() => reflector.stop());
  reflector.start();
  return { events, store, reflector };
}

describe('the reflector', () => {
  test('streams the initial list, and sees what is made, changed and deleted', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const { events, store, reflector } = reflect(admin, namespace);
    await reflector.synced;
    expect(events).toMatchObject([{ type: 'listed', streamed: true }]);
    const seen: string[] = [];
    reflector.onChange((change) => seen.push(`${change.type} ${change.key}`));
    await admin.create(TYPES.configMap, configMap(namespace, 'x'));
    await admin.apply(TYPES.configMap, configMap(namespace, 'x', { a: '1' }), MANAGER);
    await admin.delete(TYPES.configMap, { namespace, name: 'x' });
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
        TYPES.configMap,
        configMap(namespace, 'x', { write: `${write}` }),
        MANAGER,
      );
      store.wrote({ ...configMap(namespace, 'x'), metadata });
      expect(store.get(`${namespace}/x`)?.metadata.resourceVersion).toBe(metadata.resourceVersion);
    }
    const uid = store.get(`${namespace}/x`)?.metadata.uid ?? '';
    await admin.delete(TYPES.configMap, { namespace, name: 'x' }, { uid });
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
    await client.create(TYPES.configMap, configMap('default', 'before'));
    await reflector.synced;

    await cluster.kill('kube-apiserver');
    await eventually(() => expect(reflector.state.state).toBe('retrying'));
    expect(store.get('default/before')).toBeDefined();
    await sleep(1_000);
    await cluster.start('kube-apiserver');
    await eventually(() => client.create(TYPES.configMap, configMap('default', 'after')), { timeout: 60_000 });
    await eventually(() => expect(store.get('default/after')).toBeDefined(), { timeout: 60_000 });
    expect(reflector.state.state).toBe('live');
    expect(store.get('default/before')).toBeDefined();
    expect(observed.filter(({ verb }) => verb === 'list' || verb === 'watch').length).toBeLessThan(20);
    await client.close();
  });
});
