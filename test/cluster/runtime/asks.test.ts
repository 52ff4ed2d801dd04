import { ApiObject } from 'cdk8s';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { isNotFound, TYPES } from '../../../operator/kube/index.ts';
import { defineKind } from '../../../operator/runtime/index.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { admin, runAcme, serve } from './support.ts';

/** A provider of databases: not in the cluster, and not always well. */
const provider = { isWell: false, databases: new Set<string>(), calls: 0 };

/** A database of the provider, and where it is, for pods. */
const Database = defineKind({
  group: 'acme.dev',
  kind: 'Database',
  spec: z.strictObject({ size: z.int().default(1) }),
  status: z.strictObject({ host: z.string().optional() }),
  children: ['v1/ConfigMap'],
  finalizer: true,
  asks: {
    made: async ({ name, size }: { readonly name: string; readonly size: number }) => {
      provider.calls += 1;
      if (!provider.isWell) throw new Error('the provider is away');
      provider.databases.add(name);
      return Promise.resolve({ host: `${name}.databases.example.com`, size });
    },
    gone: async (name: string) => {
      if (!provider.isWell) throw new Error('the provider is away');
      provider.databases.delete(name);
      return Promise.resolve(true);
    },
  },
  reconcile: ({ name, spec, deleting, answer }) => {
    if (deleting) return { asks: { gone: { input: name } }, release: answer('gone') === true };
    const made = answer('made');
    return {
      state: { host: made?.host },
      status: { ...(made && { host: made.host }) },
      asks: { made: { input: { name, size: spec.size }, everySeconds: 2 } },
    };
  },
  construct: (scope, { name, state }) => {
    if (state.host === undefined) return;
    new ApiObject(scope, 'config', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { host: state.host },
    });
  },
});

serve(Database);

const condition = async (namespace: string, wanted: object) =>
  eventually(async () => {
    const found = (await admin.get(Database.type, { namespace, name: 'db' })) as {
      status?: { conditions?: readonly { type: string }[] };
    };
    expect(found.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject(wanted);
  });

test('what lies outside of the cluster is asked for until it answers, and its answer is a fact', async () => {
  const namespace = await testNamespace(admin);
  await runAcme({ kinds: [Database], namespace });
  const database = { apiVersion: 'acme.dev/v1', kind: 'Database', metadata: { namespace, name: 'db' }, spec: {} };
  await admin.apply(Database.type, database, { fieldManager: 'user' });
  await condition(namespace, {
    status: 'False',
    reason: 'AskFailed',
    message: expect.stringContaining('the provider is away'),
  });

  provider.isWell = true;
  await condition(namespace, { status: 'True' });
  expect(await admin.get(TYPES.configMap, { namespace, name: 'db' })).toMatchObject({
    data: { host: 'db.databases.example.com' },
  });

  provider.isWell = false;
  await admin.delete(Database.type, { namespace, name: 'db' }, {});
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect((await admin.get(Database.type, { namespace, name: 'db' })).metadata.deletionTimestamp).toBeDefined();
  provider.isWell = true;
  await eventually(async () => {
    await expect(admin.get(Database.type, { namespace, name: 'db' })).rejects.toSatisfy(isNotFound);
  });
  expect(provider.databases.size).toBe(0);
});
