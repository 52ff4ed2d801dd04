import { expect, test } from 'vitest';
import { isNotFound, TYPES } from '../../../operator/kube/index.ts';
import { WebApp } from '../../support/web-app.ts';
import { COLLECTED, eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { admin, NAME, runAcme, serve } from './support.ts';

serve(WebApp);

interface Status {
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly selector?: string;
  readonly observedGeneration?: number;
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
}

const apply = async (namespace: string, spec: object) =>
  admin.apply(
    WebApp.type,
    { apiVersion: 'acme.dev/v1', kind: 'WebApp', metadata: { namespace, name: 'web' }, spec },
    { fieldManager: 'user' },
  );

const ready = async (namespace: string, status: 'True' | 'False' = 'True') =>
  eventually(async () => {
    const found = await admin.get(WebApp.type, { namespace, name: 'web' });
    const { conditions = [], observedGeneration } = (found as { status?: Status }).status ?? {};
    expect(observedGeneration).toBe(found.metadata.generation);
    expect(conditions.find(({ type }) => type === 'Ready')).toMatchObject({ status });
    return (found as unknown as { status: Status }).status;
  });

test('somebody’s operator leads a resource through its life, under rights and names of its own', async () => {
  const namespace = await testNamespace(admin);
  await runAcme({ kinds: [WebApp], namespace });

  await apply(namespace, { image: 'nginx', replicas: 2 });
  const status = await ready(namespace);
  expect(status).toMatchObject({ replicas: 2, readyReplicas: 2 });
  const pods = await admin.list(TYPES.pod, { namespace, labelSelector: status.selector ?? '' });
  expect(pods.items).toHaveLength(2);

  const deployment = await admin.get(TYPES.deployment, { namespace, name: 'web' });
  const managers = [...new Set((deployment.metadata.managedFields ?? []).map(({ manager }) => manager))];
  expect(managers).toContain(NAME);
  expect(JSON.stringify([deployment, await admin.list(WebApp.type, { namespace })])).not.toMatch(/trunnion/i);

  await apply(namespace, { image: 'nginx', replicas: 1 });
  expect(await ready(namespace)).toMatchObject({ replicas: 1 });
});

test('what somebody deletes or edits is put back, and what is not asked for any more goes', async () => {
  const namespace = await testNamespace(admin);
  await runAcme({ kinds: [WebApp], namespace });
  await apply(namespace, { image: 'nginx' });
  await ready(namespace);

  const service = await admin.get(TYPES.service, { namespace, name: 'web' });
  await admin.delete(TYPES.service, { namespace, name: 'web' }, {});
  await eventually(async () => {
    const again = await admin.get(TYPES.service, { namespace, name: 'web' });
    expect(again.metadata.uid).not.toBe(service.metadata.uid);
  });
  await admin.patch(
    TYPES.deployment,
    { namespace, name: 'web' },
    { spec: { replicas: 5 } },
    { fieldManager: 'by-hand' },
  );
  await eventually(async () => {
    expect(await admin.get(TYPES.deployment, { namespace, name: 'web' })).toMatchObject({ spec: { replicas: 1 } });
  });

  await admin.delete(WebApp.type, { namespace, name: 'web' }, {});
  await eventually(async () => {
    await expect(admin.get(TYPES.deployment, { namespace, name: 'web' })).rejects.toSatisfy(isNotFound);
  }, COLLECTED);
});

test('an object of somebody else that has the name of a child is left as it is, and the status says so', async () => {
  const namespace = await testNamespace(admin);
  await runAcme({ kinds: [WebApp], namespace });
  await apply(namespace, { image: 'nginx' });
  await ready(namespace);
  const taken = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name: 'other' },
    spec: { ports: [{ port: 1 }] },
  };
  await admin.apply(TYPES.service, taken, { fieldManager: 'somebody' });
  const other = {
    apiVersion: 'acme.dev/v1',
    kind: 'WebApp',
    metadata: { namespace, name: 'other' },
    spec: { image: 'nginx' },
  };
  await admin.apply(WebApp.type, other, { fieldManager: 'user' });
  await eventually(async () => {
    const found = (await admin.get(WebApp.type, { namespace, name: 'other' })) as { status?: Status };
    expect(found.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'NameTaken',
      message: expect.stringContaining(`was not made by ${NAME} for this resource`),
    });
  });
});
