import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiError, connect, Discovery, EventRecorder, KubeClient } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { configMap } from '../support/config-map.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';

describe('the client', () => {
  test('deletes only the object that it means', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const { metadata } = await admin.create(TYPES.configMap, configMap(namespace, 'x'));
    const ref = { namespace, name: 'x' };
    const { uid, resourceVersion } = metadata;
    await expect(admin.delete(TYPES.configMap, ref, { uid: 'another' })).rejects.toMatchObject({ status: 409 });
    await expect(admin.delete(TYPES.configMap, ref, { uid, resourceVersion: '1' })).rejects.toMatchObject({
      status: 409,
    });
    expect(await admin.delete(TYPES.configMap, ref, { uid, resourceVersion })).toBeUndefined();
    expect(await admin.delete(TYPES.configMap, ref, { uid, resourceVersion })).toBeUndefined();
    expect(await admin.find(TYPES.configMap, ref)).toBeUndefined();
  });

  test('hands on what the server says of a body that it refuses', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const refused = await admin
      .create(TYPES.service, {
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
    expect((await client.get(TYPES.namespace, { name: 'default' })).kind).toBe('Namespace');
    const missing = connect({ from: 'kubeconfig', path: cluster().kubeconfig, context: 'nowhere' });
    await expect(missing.current()).rejects.toThrow('no context "nowhere"');
  });

  test('knows which types are served', async () => {
    const discovery = new Discovery(adminClient());
    expect(await discovery.isServed(TYPES.deployment)).toBe(true);
    expect(await discovery.isServed({ group: 'apps', version: 'v1', kind: 'Nothing', plural: 'nothings' })).toBe(false);
    const absent = { group: 'absent.example.org', version: 'v1', kind: 'Thing', plural: 'things' };
    expect(await discovery.isServed(absent)).toBe(false);
  });

  test('records an event once, and counts its repetitions', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const object = await admin.create(TYPES.configMap, configMap(namespace, 'x'));
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
      const { items } = await admin.list(TYPES.coreEvent, { namespace });
      const ours = items.filter(({ reason }) => reason === 'Tried');
      expect(ours).toMatchObject([{ series: { count: 5 } }]);
    });
    await recorder.stop(1_000);
    expect(dropped).toEqual([]);
  });
});
