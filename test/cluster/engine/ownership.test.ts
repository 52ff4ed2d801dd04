import { expect, test } from 'vitest';
import { isNotFound } from '../../../operator/kube/index.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/index.ts';
import { CLAIM, CONFIG_MAP, DEPLOYMENT, JOB, SERVICE, WIDGET } from '../../support/widget.ts';
import { adminClient } from '../support/client.ts';
import { COLLECTED, eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { apply, child, inPhase, operate, quiet, serveWidgets } from '../support/widgets.ts';

const admin = adminClient();

serveWidgets();

const drifts: readonly { readonly name: string; readonly type: ResourceType; readonly patch: object }[] = [
  { name: 'an edited ConfigMap', type: CONFIG_MAP, patch: { data: { message: 'drifted' } } },
  {
    name: 'a ConfigMap without our label',
    type: CONFIG_MAP,
    patch: { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } },
  },
  { name: 'a ConfigMap without an owner', type: CONFIG_MAP, patch: { metadata: { ownerReferences: null } } },
  { name: 'a scaled Deployment', type: DEPLOYMENT, patch: { spec: { replicas: 5 } } },
  {
    name: 'a Service with another selector',
    type: SERVICE,
    patch: { spec: { selector: { 'app.kubernetes.io/name': 'other' } } },
  },
  {
    name: 'a complete Job without a label',
    type: JOB,
    patch: { metadata: { labels: { 'app.kubernetes.io/name': null } } },
  },
];

/** What our children have, and drift changes. */
const essence = ({ metadata, spec, ['data']: data }: KubeObject): object => {
  const { uid, labels, ownerReferences, annotations } = metadata;
  return { uid, labels, ownerReferences, annotations, spec, data };
};

test('drift is corrected: each child edited, deleted, and replaced by hand; what others added stays', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1, job: true });
  await inPhase(namespace, 'w', 'Running');
  await quiet(namespace);
  for (const { name, type, patch } of drifts) {
    const note = { metadata: { annotations: { 'example.com/note': 'kept' } } };
    const noted = await admin.patch(type, { namespace, name: 'w' }, note);
    await admin.patch(type, { namespace, name: 'w' }, patch);
    await eventually(async () => {
      expect({ name, is: essence(await child(type, namespace, 'w')) }).toEqual({ name, is: essence(noted) });
    });
  }
  for (const type of [CONFIG_MAP, SERVICE, DEPLOYMENT, JOB]) {
    const before = await child(type, namespace, 'w');
    await admin.delete(type, { namespace, name: 'w' }, { propagationPolicy: 'Background' });
    await eventually(async () => {
      expect((await child(type, namespace, 'w')).metadata.uid).not.toBe(before.metadata.uid);
    });
  }
  const { metadata } = await child(CONFIG_MAP, namespace, 'w');
  const { labels, ownerReferences } = metadata;
  await admin.delete(CONFIG_MAP, { namespace, name: 'w' });
  const byHand = { name: 'w', namespace, labels, ownerReferences };
  await admin
    .create(CONFIG_MAP, { apiVersion: 'v1', kind: 'ConfigMap', metadata: byHand, data: { message: 'by hand' } })
    .catch(() => undefined);
  await eventually(async () => {
    expect((await child(CONFIG_MAP, namespace, 'w'))['data']).toEqual({ message: 'hello' });
  });
  await inPhase(namespace, 'w', 'Running');
});

test('an object of that name that is not ours is reported, never touched, and taken no more once it is gone', async () => {
  const namespace = await testNamespace(admin);
  const foreign = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'w', namespace },
    data: { message: 'mine' },
  };
  const before = await admin.create(CONFIG_MAP, foreign);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1 });
  const failed = await inPhase(namespace, 'w', 'Failed');
  expect(failed.status?.conditions).toMatchObject([{ type: 'Ready', status: 'False', reason: 'NameTaken' }]);
  expect(await child(CONFIG_MAP, namespace, 'w')).toEqual(before);
  await child(SERVICE, namespace, 'w');
  await admin.delete(CONFIG_MAP, { namespace, name: 'w' });
  await inPhase(namespace, 'w', 'Running');
});

test('replicas are handed over before they are left out, so that the Deployment keeps its size', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 3 });
  await inPhase(namespace, 'w', 'Running');
  await apply(namespace, 'w', { message: 'hello' });
  await eventually(async () => {
    const { metadata, spec } = await admin.get(DEPLOYMENT, { namespace, name: 'w' });
    expect(spec).toMatchObject({ replicas: 3 });
    expect(metadata.managedFields?.map(({ manager }) => manager)).toContain('trunnion-handover');
  });
  await admin.patch(DEPLOYMENT, { namespace, name: 'w' }, { spec: { replicas: 4 } });
  await quiet(namespace);
  expect((await admin.get(DEPLOYMENT, { namespace, name: 'w' }))['spec']).toMatchObject({ replicas: 4 });
  await apply(namespace, 'w', { message: 'hello', replicas: 2 });
  await eventually(async () => {
    expect((await admin.get(DEPLOYMENT, { namespace, name: 'w' }))['spec']).toMatchObject({ replicas: 2 });
  });
});

test('what left the desired set is pruned, and what is retained outlives the widget', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1, keep: true });
  await inPhase(namespace, 'w', 'Running');
  await apply(namespace, 'w', { message: 'hello', replicas: 1, service: false });
  await eventually(() => expect(child(SERVICE, namespace, 'w')).rejects.toSatisfy(isNotFound));
  await quiet(namespace);
  const claim = await child(CLAIM, namespace, 'w');
  expect(claim.metadata.ownerReferences).toBeUndefined();
  await admin.delete(WIDGET, { namespace, name: 'w' });
  await eventually(() => expect(child(DEPLOYMENT, namespace, 'w')).rejects.toSatisfy(isNotFound), COLLECTED);
  expect((await child(CLAIM, namespace, 'w')).metadata).toMatchObject({ uid: claim.metadata.uid });
});
