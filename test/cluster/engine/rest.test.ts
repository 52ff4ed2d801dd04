import { TRUNNION } from '../../../operator/trunnion.ts';
import { decorate } from '../../support/as-trunnion.ts';
import { expect, onTestFinished, test } from 'vitest';
import { makePlan } from '../../../operator/engine/plan/plan.ts';
import { snapshotOf } from '../../../operator/engine/observe/snapshot.ts';
import { Discovery } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { CONFIG_MAP, crdOf, DEPLOYMENT, GADGET, SERVICE, WIDGET_FINALIZER, widget } from '../../support/widget.ts';
import type { WidgetSpec } from '../../support/widget.ts';
import { mark } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { apply, child, get, inPhase, operate, ours, quiet, serveWidgets } from '../support/widgets.ts';

const admin = adminClient();

serveWidgets();

test('a widget is made, with one status write a transition, and then nothing is written any more', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  const since = mark();
  const { metadata } = await apply(namespace, 'w', { message: 'hello', replicas: 2 });
  const running = await inPhase(namespace, 'w', 'Running');
  await quiet(namespace);
  const writes = (await ours(namespace, since)).filter((write) => !write.includes('events'));
  const made = [
    'patch widgets/w 200',
    'patch configmaps/w 201',
    'patch deployments/w 201',
    'patch services/w 201',
    'patch widgets/status/w 200',
  ];
  // Pods that take no half second to run take no status of their own.
  const isQuick = writes.length === made.length;
  expect(writes).toEqual(isQuick ? made : [...made, 'patch widgets/status/w 200']);
  expect(running.metadata.finalizers).toEqual([WIDGET_FINALIZER]);
  for (const type of [CONFIG_MAP, DEPLOYMENT, SERVICE]) {
    const { metadata: its } = await child(type, namespace, 'w');
    expect(its.ownerReferences).toMatchObject([{ kind: 'Widget', uid: metadata.uid, controller: true }]);
    expect(its.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'trunnion' });
  }
  const events = await admin.list(TYPES.coreEvent, { namespace, fieldSelector: 'involvedObject.kind=Widget' });
  expect(events.items.map((event) => event['reason'])).toEqual(['Running']);
});

test('an operator that is started again writes nothing where nothing has changed', async () => {
  const namespace = await testNamespace(admin);
  const stop = await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', job: true, keep: true });
  await inPhase(namespace, 'w', 'Running');
  await quiet(namespace);
  await stop();
  const since = mark();
  await operate(namespace);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await ours(namespace, since)).toEqual([]);
});

test('a plan that is made from live reads alone is empty where nothing is to be done, and says what is', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1, keep: true });
  await inPhase(namespace, 'w', 'Running');
  const discovery = new Discovery(admin);
  const planFor = async (spec: WidgetSpec) => {
    const resource = { ...(await get(namespace, 'w')), spec };
    const snapshot = await snapshotOf(admin, widget, resource, {
      identity: TRUNNION,
      isServed: (type) => discovery.isServed(type),
    });
    const { state } = widget.reconcile(snapshot, Date.now());
    const desired = widget.render(resource, state).map((rendered) => decorate(rendered, resource));
    return makePlan({ desired, observed: snapshot.children, ownerUid: resource.metadata.uid });
  };
  expect(await planFor({ message: 'hello', replicas: 1, keep: true })).toEqual({
    steps: [],
    waiting: [],
    foreign: [],
    leaving: [],
  });
  const { steps } = await planFor({ message: 'changed', replicas: 1, job: true, service: false });
  expect(steps.map((step) => `${step.action} ${'child' in step ? step.child.id : step.live.kind}`)).toEqual([
    'apply config',
    'create job',
    'delete Service',
  ]);
});

test('an optional kind is run once it is served', async () => {
  const namespace = await testNamespace(admin);
  await admin.apply(TYPES.customResourceDefinition, crdOf(GADGET), { fieldManager: 'test' });
  const crd = { name: `${GADGET.plural}.${GADGET.group}` };
  onTestFinished(async () => {
    await admin.delete(TYPES.customResourceDefinition, crd);
    await eventually(async () => expect(await admin.find(TYPES.customResourceDefinition, crd)).toBeUndefined());
  });
  await eventually(() => admin.list(GADGET));
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1, gadget: true });
  await inPhase(namespace, 'w', 'Running');
  await child(GADGET, namespace, 'w');
  await quiet(namespace);
});
