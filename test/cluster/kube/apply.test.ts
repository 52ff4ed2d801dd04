import { describe, expect, test } from 'vitest';
import { digestOf, digestOfOwned, ownsPath } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { children } from '../support/children.ts';
import { adminClient } from '../support/client.ts';
import { configMap, MANAGER } from '../support/config-map.ts';
import { testNamespace } from '../support/namespace.ts';

describe('server-side apply', () => {
  test.each(children('').map(([type], index) => [type.kind, index] as const))(
    'leaves a %s whose owned fields have the digest of its manifest',
    async (_kind, index) => {
      const admin = adminClient();
      const namespace = await testNamespace(admin);
      const { metadata: owner } = await admin.create(TYPES.configMap, configMap(namespace, 'owner'));
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
    const made = await admin.apply(TYPES.configMap, createOnly, MANAGER);
    expect(ownsPath(made, 'trunnion', 'data.a')).toBe(true);
    expect(ownsPath(made, 'trunnion', 'data.b')).toBe(false);
    await expect(admin.apply(TYPES.configMap, createOnly, MANAGER)).rejects.toMatchObject({ status: 409 });
    expect((await admin.get(TYPES.configMap, { namespace, name: 'mine' })).metadata.resourceVersion).toBe(
      made.metadata.resourceVersion,
    );
  });

  test('with the UID of an object that is gone neither brings it back nor hits a namesake', async () => {
    const admin = adminClient();
    const namespace = await testNamespace(admin);
    const first = await admin.create(TYPES.configMap, configMap(namespace, 'x'));
    await admin.delete(TYPES.configMap, { namespace, name: 'x' }, { uid: first.metadata.uid });
    const body = configMap(namespace, 'x', { a: '1' });
    const ours = { ...body, metadata: { ...body.metadata, uid: first.metadata.uid } };
    await expect(admin.apply(TYPES.configMap, ours, MANAGER)).rejects.toMatchObject({ status: 409 });
    await admin.create(TYPES.configMap, configMap(namespace, 'x'));
    await expect(admin.apply(TYPES.configMap, ours, MANAGER)).rejects.toMatchObject({ status: 422 });
  });
});
