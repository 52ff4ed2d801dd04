import { expect, test } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { CONFIG_MAP, JOB } from '../../support/widget.ts';
import { mark } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { apply, child, get, inPhase, operate, ours, serveWidgets } from '../support/widgets.ts';

const admin = adminClient();

serveWidgets();

test('a failed Job is created again, and that it failed is in the status before it is gone', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  const since = mark();
  await apply(namespace, 'w', { message: 'hello', job: true, simulated: { 'sim.trunnion.dev/fail': '3' } });
  await eventually(async () => expect((await get(namespace, 'w')).status?.retries).toBeGreaterThan(1));
  await apply(namespace, 'w', { message: 'hello', job: true });
  await inPhase(namespace, 'w', 'Running');
  const writes = (await ours(namespace, since)).filter((write) => /(delete jobs|widgets\/status)\S* 200/.test(write));
  const deletes = writes.flatMap((write, index) => (write.startsWith('delete') ? [writes[index - 1]] : []));
  expect(deletes.length).toBeGreaterThan(1);
  expect(new Set(deletes)).toEqual(new Set(['patch widgets/status/w 200']));
});

test('a Job whose template has changed starts again while it runs, and is left alone once it is complete', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', job: true, simulated: { 'sim.trunnion.dev/delay-seconds': '3600' } });
  // The Job controller knows by name which pods it expects: of a Job that is created again before the pod of the one before has
  // been learned of, it waits for that one, for five minutes.
  await eventually(async () => {
    const { items } = await admin.list(TYPES.pod, { namespace });
    expect(items).toMatchObject([{ status: { phase: 'Running' } }]);
  });
  const first = await child(JOB, namespace, 'w');
  await apply(namespace, 'w', { message: 'hello', job: true });
  await inPhase(namespace, 'w', 'Running');
  const second = await child(JOB, namespace, 'w');
  expect(second.metadata.uid).not.toBe(first.metadata.uid);
  await apply(namespace, 'w', { message: 'changed', job: true, simulated: { 'example.com/other': 'template' } });
  await eventually(async () => {
    expect((await child(CONFIG_MAP, namespace, 'w'))['data']).toEqual({ message: 'changed' });
  });
  await inPhase(namespace, 'w', 'Running');
  expect((await child(JOB, namespace, 'w')).metadata.uid).toBe(second.metadata.uid);
});
