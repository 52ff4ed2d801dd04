import { ApiObject } from 'cdk8s';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { isNotFound, TYPES } from '../../../operator/kube/index.ts';
import { defineKind } from '../../../operator/runtime/index.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { admin, runAcme, serve } from './support.ts';

/** Leaves a note in another namespace. */
const Note = defineKind({
  group: 'acme.dev',
  kind: 'Note',
  spec: z.strictObject({ to: z.string(), text: z.string() }),
  children: ['v1/ConfigMap'],
  finalizer: true,
  reconcile: ({ deleting }) => ({ release: deleting }),
  construct: (scope, { name, namespace, spec }) =>
    new ApiObject(scope, 'note', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${namespace}-${name}`, namespace: spec.to },
      data: { text: spec.text },
    }),
});

/** Has a namespace, with a greeting in it. */
const Tenant = defineKind({
  group: 'acme.dev',
  kind: 'Tenant',
  scope: 'Cluster',
  spec: z.strictObject({ greeting: z.string().default('hello') }),
  construct: (scope, { name, spec }) => {
    const namespace = new ApiObject(scope, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const greeting = new ApiObject(scope, 'greeting', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'greeting', namespace: name },
      data: { greeting: spec.greeting },
    });
    greeting.node.addDependency(namespace);
  },
});

serve(Note, Tenant);

const noteIn = async (namespace: string, name: string) => admin.get(TYPES.configMap, { namespace, name });

test('a child in another namespace has labels in place of an owner, is kept as wanted, and goes with its resource', async () => {
  const [own, other] = [await testNamespace(admin), await testNamespace(admin)];
  await runAcme({ kinds: [Note], namespace: own, alone: false });
  const note = (text: string) => ({
    apiVersion: 'acme.dev/v1',
    kind: 'Note',
    metadata: { name: 'n', namespace: own },
    spec: { to: other, text },
  });
  const { metadata } = await admin.apply(Note.type, note('one'), { fieldManager: 'user' });
  const made = await eventually(() => noteIn(other, `${own}-n`));
  expect(made.metadata.ownerReferences).toBeUndefined();
  expect(made.metadata.labels).toMatchObject({
    'acme.dev/kind': 'note',
    'acme.dev/name': 'n',
    'acme.dev/namespace': own,
    'acme.dev/uid': metadata.uid,
  });

  await admin.apply(Note.type, note('two'), { fieldManager: 'user' });
  await eventually(async () => expect(await noteIn(other, `${own}-n`)).toMatchObject({ data: { text: 'two' } }));
  await admin.delete(TYPES.configMap, { namespace: other, name: `${own}-n` }, {});
  await eventually(() => noteIn(other, `${own}-n`));

  await admin.delete(Note.type, { namespace: own, name: 'n' }, {});
  await eventually(async () => {
    await expect(admin.get(Note.type, { namespace: own, name: 'n' })).rejects.toSatisfy(isNotFound);
  });
  await expect(noteIn(other, `${own}-n`)).rejects.toSatisfy(isNotFound);
});

test('a resource of the cluster owns its namespace and what is in it', async () => {
  const namespace = await testNamespace(admin);
  const name = `${namespace}-tenant`;
  await runAcme({ kinds: [Tenant], namespace, alone: false });
  const tenant = { apiVersion: 'acme.dev/v1', kind: 'Tenant', metadata: { name }, spec: {} };
  const { metadata } = await admin.apply(Tenant.type, tenant, { fieldManager: 'user' });
  const greeting = await eventually(() => noteIn(name, 'greeting'));
  expect(greeting).toMatchObject({ data: { greeting: 'hello' } });
  expect(greeting.metadata.ownerReferences).toMatchObject([{ kind: 'Tenant', uid: metadata.uid }]);
  await eventually(async () => {
    const found = (await admin.get(Tenant.type, { name })) as { status?: { conditions?: readonly object[] } };
    expect(found.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  });
  await admin.delete(Tenant.type, { name }, {});
  await eventually(async () => {
    await expect(admin.get(Tenant.type, { name })).rejects.toSatisfy(isNotFound);
  });
});
