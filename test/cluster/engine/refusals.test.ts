import { expect, test } from 'vitest';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { OPERATOR_NAME } from '../../../operator/rbac.ts';
import { CONFIG_MAP, SERVICE } from '../../support/widget.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { apply, child, inPhase, operate, serveWidgets } from '../support/widgets.ts';

const admin = adminClient();

serveWidgets();

test('a spec that is invalid waits for its next generation, and leaves what runs as it is', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1 });
  await inPhase(namespace, 'w', 'Running');
  await apply(namespace, 'w', { message: 'changed', replicas: 1, broken: true });
  const refused = await inPhase(namespace, 'w', 'Failed');
  expect(refused.status?.conditions?.[0]).toMatchObject({ type: 'Accepted', status: 'False' });
  expect(refused.status?.conditions?.[0]?.message).toContain('spec.broken');
  expect((await child(CONFIG_MAP, namespace, 'w'))['data']).toEqual({ message: 'hello' });
  await apply(namespace, 'w', { message: 'changed', replicas: 1 });
  await inPhase(namespace, 'w', 'Running');
});

test('quota, an invalid object and a kind that is not served are reported in the words of the server', async () => {
  const namespace = await testNamespace(admin);
  const metadata = { name: 'none', namespace };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: { services: '0' } } };
  await admin.create(TYPES.resourceQuota, quota);
  await eventually(async () => {
    const { status } = await admin.get(TYPES.resourceQuota, metadata);
    expect(status).toMatchObject({ used: { services: '0' } });
  });
  await operate(namespace);
  await apply(namespace, 'over', { message: 'hello', replicas: 1 });
  const over = await inPhase(namespace, 'over', 'Failed');
  expect(over.status?.conditions).toMatchObject([{ reason: 'QuotaExceeded' }]);
  expect(over.status?.conditions?.[0]?.message).toContain('exceeded quota');

  await apply(namespace, 'invalid', { message: 'hello', replicas: -1, service: false });
  const invalid = await inPhase(namespace, 'invalid', 'Failed');
  expect(invalid.status?.conditions).toMatchObject([{ reason: 'Invalid' }]);
  expect(invalid.status?.conditions?.[0]?.message).toContain('spec.replicas');

  await apply(namespace, 'unserved', { message: 'hello', replicas: 1, service: false, gadget: true });
  const unserved = await inPhase(namespace, 'unserved', 'Failed');
  expect(unserved.status?.conditions).toMatchObject([{ reason: 'NotServed' }]);

  await admin.delete(TYPES.resourceQuota, metadata);
  await apply(namespace, 'invalid', { message: 'hello', replicas: 1, service: false });
  await inPhase(namespace, 'invalid', 'Running');
  await inPhase(namespace, 'over', 'Running');
});

test('a right that the operator lacks is reported in the words of the server, and the rest is done', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  const role = (await admin.get(TYPES.role, { namespace, name: OPERATOR_NAME })) as KubeObject & {
    readonly rules: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
  };
  const rules = role.rules.map((rule) => ({
    ...rule,
    resources: rule.resources.filter((resource) => resource !== 'configmaps' || !rule.verbs.includes('create')),
  }));
  await admin.patch(TYPES.role, { namespace, name: OPERATOR_NAME }, { rules });
  await eventually(() =>
    expect(admin.get(TYPES.role, { namespace, name: OPERATOR_NAME }).then(({ rules: now }) => now)).resolves.toEqual(
      rules,
    ),
  );
  await apply(namespace, 'w', { message: 'hello', replicas: 1 });
  const failed = await inPhase(namespace, 'w', 'Failed');
  expect(failed.status?.conditions).toMatchObject([{ reason: 'Forbidden' }]);
  expect(failed.status?.conditions?.[0]?.message).toContain('cannot patch resource "configmaps"');
  await child(SERVICE, namespace, 'w');
  await admin.patch(TYPES.role, { namespace, name: OPERATOR_NAME }, { rules: role.rules });
  await inPhase(namespace, 'w', 'Running');
});
