import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { allKinds, kinds } from '../../../compat/kinds/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { trunnion } from '../../support/trunnion.ts';
import { adminClient, clientWith } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion } from '../support/operator.ts';
import { modelServingType, servingSpec, ServingUnderTest } from '../support/serving.ts';
import { member } from '../support/members.ts';

const admin = adminClient();
const clusterRole = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole', plural: 'clusterroles' };

beforeAll(() => installTrunnion(admin, { compat: true }));

/** A member of a namespace with one of the built-in roles. */
async function memberWith(namespace: string, role: string): Promise<KubeClient> {
  const { token } = await member(admin, namespace, { clusterRole: role });
  const client = clientWith(token);
  onTestFinished(() => client.close());
  return client;
}

/** What a client may do with a resource, asked one by one. */
async function verbsOn(client: KubeClient, namespace: string, group: string, plural: string): Promise<string[]> {
  const [resource, subresource] = plural.split('/');
  const apiVersion = 'authorization.k8s.io/v1';
  const verbs = ['get', 'list', 'watch', 'create', 'delete', 'deletecollection', 'patch', 'update'];
  const answers = await Promise.all(
    verbs.map(async (verb) => {
      const resourceAttributes = { namespace, verb, group, resource, subresource };
      const body = { apiVersion, kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } };
      const path = `/apis/${apiVersion}/selfsubjectaccessreviews`;
      return (await client.raw('POST', path, { body })) as { readonly status: { readonly allowed: boolean } };
    }),
  );
  return verbs.filter((_, index) => answers[index]?.status.allowed);
}

const READ = ['get', 'list', 'watch'];
const ALL = [...READ, 'create', 'delete', 'deletecollection', 'patch', 'update'];
const MEANT = {
  view: { '': READ, '/status': READ, '/scale': READ, '/finalizers': [] },
  edit: { '': ALL, '/status': READ, '/scale': [...READ, 'patch', 'update'], '/finalizers': [] },
  admin: { '': ALL, '/status': READ, '/scale': [...READ, 'patch', 'update'], '/finalizers': [] },
} as const;

describe.for(Object.entries(MEANT))('who has the built-in role %s', ([role, meant]) => {
  test("has exactly what is meant on our kinds, and on earlier operators' kinds", { timeout: 60_000 }, async () => {
    const namespace = await testNamespace(admin);
    const other = await testNamespace(admin);
    const client = await memberWith(namespace, role);
    // Controllers of Kubernetes put the roles together a moment after they were applied.
    await eventually(() => client.list(modelServingType, { namespace }));
    for (const { type } of kinds) {
      for (const [subresource, verbs] of Object.entries(meant)) {
        const of = `${type.plural}${subresource}`;
        expect([of, ...(await verbsOn(client, namespace, type.group, of))]).toEqual([of, ...verbs]);
      }
    }
    for (const { type } of allKinds) {
      expect([type.kind, ...(await verbsOn(client, namespace, type.group, type.plural))]).toEqual([
        type.kind,
        ...meant[''],
      ]);
      expect(await verbsOn(client, other, type.group, type.plural)).toEqual([]);
    }
  });
});

test('an editor makes, scales and deletes a resource, and can not write its status', async () => {
  const namespace = await testNamespace(admin);
  const client = await memberWith(namespace, 'edit');
  await eventually(() => client.list(modelServingType, { namespace }));
  const serving = new ServingUnderTest(client, namespace);
  await serving.apply(servingSpec);
  await client.patch(modelServingType, serving, { spec: { replicas: 2 } }, { subresource: 'scale' });
  const status = { status: { phase: 'Running' } };
  await expect(client.patch(modelServingType, serving, status, { subresource: 'status' })).rejects.toMatchObject({
    status: 403,
  });
  // What the object itself brings of a status is dropped.
  await client.patch(modelServingType, serving, status);
  expect((await serving.get()).status).toBeUndefined();
  await serving.delete();
});

test('a viewer can make none', async () => {
  const namespace = await testNamespace(admin);
  const client = await memberWith(namespace, 'view');
  await eventually(() => client.list(modelServingType, { namespace }));
  await expect(new ServingUnderTest(client, namespace).apply(servingSpec)).rejects.toMatchObject({ status: 403 });
});

test('without the installation nobody has them', { timeout: 60_000 }, async () => {
  const namespace = await testNamespace(admin);
  const client = await memberWith(namespace, 'view');
  await eventually(() => client.list(modelServingType, { namespace }));
  onTestFinished(() => installTrunnion(admin, { compat: true }));
  expect(await trunnion(['uninstall', '--kubeconfig', cluster().kubeconfig])).toMatchObject({ code: 0 });
  for (const name of ['trunnion-view', 'trunnion-edit'])
    expect(await admin.find(clusterRole, { name })).toBeUndefined();
  await eventually(() => expect(client.list(modelServingType, { namespace })).rejects.toMatchObject({ status: 403 }));
});
