import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { decorate } from '../../operator/engine/decorate.ts';
import { createLogger } from '../../operator/engine/log.ts';
import { makePlan } from '../../operator/engine/plan.ts';
import { snapshotOf } from '../../operator/engine/snapshot.ts';
import type { KubeObject, ResourceType } from '../../operator/kube/index.ts';
import { Discovery, isNotFound } from '../../operator/kube/index.ts';
import { runOperator } from '../../operator/operator.ts';
import type { OperatorOptions } from '../../operator/options.ts';
import { OPERATOR_NAME, rbac } from '../../operator/rbac.ts';
import {
  CLAIM,
  CONFIG_MAP,
  crdOf,
  DEPLOYMENT,
  GADGET,
  JOB,
  SERVICE,
  WIDGET,
  WIDGET_FINALIZER,
  widget,
} from '../support/widget.ts';
import type { Widget, WidgetSpec } from '../support/widget.ts';
import { mark, mutationsSince } from './support/audit.ts';
import { adminClient, serviceAccountToken } from './support/client.ts';
import { cluster } from './support/cluster.ts';
import { eventually } from './support/eventually.ts';
import { testNamespace } from './support/namespace.ts';
import { types } from './support/types.ts';

const admin = adminClient();
const USER_AGENT = 'trunnion-operator';

const ROLES: ResourceType = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role', plural: 'roles' };
const RBAC_TYPES: Readonly<Record<string, ResourceType>> = {
  ServiceAccount: types.serviceAccount,
  Role: ROLES,
  RoleBinding: { ...ROLES, kind: 'RoleBinding', plural: 'rolebindings' },
};

beforeAll(async () => {
  await admin.apply(types.customResourceDefinition, crdOf(WIDGET), { fieldManager: 'test' });
  await eventually(() => admin.list(WIDGET));
});

afterAll(async () => {
  await admin.delete(types.customResourceDefinition, { name: `${WIDGET.plural}.${WIDGET.group}` });
});

/** Runs the operator in a namespace, with the rights that it ships with, until it is stopped or the test ends. */
async function operate(namespace: string, options: Partial<OperatorOptions> = {}): Promise<() => Promise<void>> {
  for (const object of rbac({ kinds: [widget], namespace, watchNamespace: namespace })) {
    await admin.apply(RBAC_TYPES[object.kind]!, object, { fieldManager: 'test' });
  }
  const token = await serviceAccountToken(admin, namespace, OPERATOR_NAME);
  const stop = new AbortController();
  const started = Promise.withResolvers<number>();
  const { url, ca } = cluster();
  const running = runOperator({
    connection: { from: 'fixed', connection: { url, ca, authorization: `Bearer ${token}`, namespace } },
    kinds: [widget],
    namespace,
    port: 0,
    host: '127.0.0.1',
    log: createLogger('silent'),
    signal: stop.signal,
    started: started.resolve,
    ...options,
  });
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  onTestFinished(end);
  await Promise.race([started.promise, running]);
  return end;
}

async function apply(namespace: string, name: string, spec: WidgetSpec): Promise<KubeObject> {
  const body = { apiVersion: 'test.trunnion.dev/v1', kind: 'Widget', metadata: { namespace, name }, spec };
  return admin.apply(WIDGET, body, { fieldManager: 'user' });
}

const get = async (namespace: string, name: string): Promise<Widget> =>
  (await admin.get(WIDGET, { namespace, name })) as KubeObject & Widget;

const inPhase = (namespace: string, name: string, phase: string): Promise<Widget> =>
  eventually(async () => {
    const found = await get(namespace, name);
    expect(found.status).toMatchObject({ phase, observedGeneration: found.metadata.generation });
    return found;
  });

const ours = async (namespace: string, since: number) =>
  (await mutationsSince(admin, since))
    .filter((mutation) => mutation.userAgent === USER_AGENT && mutation.namespace === namespace)
    .map(({ verb, resource, name, code }) => `${verb} ${resource}/${name} ${code}`);

const quiet = async (namespace: string): Promise<void> => {
  await eventually(async () => {
    const since = mark();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await ours(namespace, since)).toEqual([]);
  });
};

/** The object that is there now, once it has another UID than before, or whatever `check` says. */
const child = (type: ResourceType, namespace: string, name: string): Promise<KubeObject> =>
  admin.get(type, { namespace, name });

test('a widget is made, with one status write a transition, and then nothing is written any more', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  const since = mark();
  const { metadata } = await apply(namespace, 'w', { message: 'hello', replicas: 2 });
  const running = await inPhase(namespace, 'w', 'Running');
  await quiet(namespace);
  const writes = (await ours(namespace, since)).filter((write) => !write.includes('events'));
  expect(writes).toEqual([
    'patch widgets/w 200',
    'patch configmaps/w 201',
    'patch deployments/w 201',
    'patch services/w 201',
    'patch widgets/status/w 200',
    'patch widgets/status/w 200',
  ]);
  expect(running.metadata.finalizers).toEqual([WIDGET_FINALIZER]);
  for (const type of [CONFIG_MAP, DEPLOYMENT, SERVICE]) {
    const { metadata: made } = await child(type, namespace, 'w');
    expect(made.ownerReferences).toMatchObject([{ kind: 'Widget', uid: metadata.uid, controller: true }]);
    expect(made.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'trunnion' });
  }
  const events = await admin.list(types.event, { namespace, fieldSelector: 'involvedObject.kind=Widget' });
  expect(events.items.map((event) => event['reason'])).toEqual(['Running']);
});

test('an operator that is started anew writes nothing where nothing has changed', async () => {
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

test('drift is put right: each child edited, deleted, and replaced by hand; what others added stays', async () => {
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

test('an object of that name that is not ours is told, never touched, and taken no more once it is gone', async () => {
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
  // The garbage collector looks every 30 s for kinds that are new to it.
  await eventually(() => expect(child(DEPLOYMENT, namespace, 'w')).rejects.toSatisfy(isNotFound), { timeout: 60_000 });
  expect((await child(CLAIM, namespace, 'w')).metadata).toMatchObject({ uid: claim.metadata.uid });
});

test('a widget that is deleted takes its Service away first, then goes with all that it owns, and is not made anew', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1 });
  await inPhase(namespace, 'w', 'Running');
  await quiet(namespace);
  const since = mark();
  await admin.delete(WIDGET, { namespace, name: 'w' }, { propagationPolicy: 'Background' });
  for (const type of [WIDGET, SERVICE, DEPLOYMENT, CONFIG_MAP]) {
    await eventually(() => expect(child(type, namespace, 'w')).rejects.toSatisfy(isNotFound));
  }
  const writes = (await ours(namespace, since)).filter((write) => !/events|status/.test(write));
  expect(writes).toEqual(['delete services/w 200', 'patch widgets/w 200']);
});

test('a widget that is deleted in the foreground ends as well, though its children go before it', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1 });
  await inPhase(namespace, 'w', 'Running');
  await admin.delete(WIDGET, { namespace, name: 'w' }, { propagationPolicy: 'Foreground' });
  for (const type of [WIDGET, SERVICE, DEPLOYMENT, CONFIG_MAP]) {
    await eventually(() => expect(child(type, namespace, 'w')).rejects.toSatisfy(isNotFound));
  }
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

test('a spec that can not work waits for its next generation, and leaves what runs as it is', async () => {
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

test('quota, an invalid object and a kind that is not served are told in the words of the server', async () => {
  const namespace = await testNamespace(admin);
  const metadata = { name: 'none', namespace };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: { services: '0' } } };
  await admin.create(types.resourceQuota, quota);
  await eventually(async () => {
    const { status } = await admin.get(types.resourceQuota, metadata);
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

  await admin.delete(types.resourceQuota, metadata);
  await apply(namespace, 'invalid', { message: 'hello', replicas: 1, service: false });
  await inPhase(namespace, 'invalid', 'Running');
  await inPhase(namespace, 'over', 'Running');
});

test('a right that the operator lacks is told in the words of the server, and the rest is done', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  const role = (await admin.get(ROLES, { namespace, name: OPERATOR_NAME })) as KubeObject & {
    readonly rules: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
  };
  const rules = role.rules.map((rule) => ({
    ...rule,
    resources: rule.resources.filter((resource) => resource !== 'configmaps' || !rule.verbs.includes('create')),
  }));
  await admin.patch(ROLES, { namespace, name: OPERATOR_NAME }, { rules });
  await eventually(() =>
    expect(admin.get(ROLES, { namespace, name: OPERATOR_NAME }).then(({ rules: now }) => now)).resolves.toEqual(rules),
  );
  await apply(namespace, 'w', { message: 'hello', replicas: 1 });
  const failed = await inPhase(namespace, 'w', 'Failed');
  expect(failed.status?.conditions).toMatchObject([{ reason: 'Forbidden' }]);
  expect(failed.status?.conditions?.[0]?.message).toContain('cannot patch resource "configmaps"');
  await child(SERVICE, namespace, 'w');
  await admin.patch(ROLES, { namespace, name: OPERATOR_NAME }, { rules: role.rules });
  await inPhase(namespace, 'w', 'Running');
});

test('a plan that is made from live reads alone is empty where nothing is to be done, and says what is', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1, keep: true });
  await inPhase(namespace, 'w', 'Running');
  const discovery = new Discovery(admin);
  const planFor = async (spec: WidgetSpec) => {
    const resource = { ...(await get(namespace, 'w')), spec };
    const snapshot = await snapshotOf(admin, widget, resource, (type) => discovery.isServed(type));
    const { runtime } = widget.conduct(snapshot, Date.now());
    const desired = widget.render(resource, runtime).map((rendered) => decorate(rendered, resource));
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

test('of two operators one works, and the other takes over when it stops', async () => {
  const namespace = await testNamespace(admin);
  const leaderElection = { namespace };
  const stopFirst = await operate(namespace, { leaderElection });
  await apply(namespace, 'w', { message: 'hello', replicas: 1 });
  await inPhase(namespace, 'w', 'Running');
  await operate(namespace, { leaderElection });
  await quiet(namespace);
  await stopFirst();
  await apply(namespace, 'w', { message: 'changed', replicas: 1 });
  await eventually(async () => {
    expect((await child(CONFIG_MAP, namespace, 'w'))['data']).toEqual({ message: 'changed' });
  });
});

test('an operator whose lease another has taken ends with an error, so that it is started anew', async () => {
  const namespace = await testNamespace(admin);
  const ended = Promise.withResolvers<unknown>();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const token = cluster().token;
  const { url, ca } = cluster();
  void runOperator({
    connection: { from: 'fixed', connection: { url, ca, authorization: `Bearer ${token}`, namespace } },
    kinds: [widget],
    namespace,
    port: 0,
    host: '127.0.0.1',
    leaderElection: { namespace },
    log: createLogger('silent'),
    signal: stop.signal,
  }).then(ended.resolve, ended.resolve);
  const lease = { namespace, name: 'trunnion-operator' };
  await eventually(() => admin.get(types.lease, lease));
  await admin.patch(types.lease, lease, {
    spec: { holderIdentity: 'another', renewTime: '2099-01-01T00:00:00.000000Z' },
  });
  expect(await ended.promise).toMatchObject({ message: expect.stringContaining('leadership was lost') as string });
});

test('an optional kind is run once it is served', async () => {
  const namespace = await testNamespace(admin);
  await admin.apply(types.customResourceDefinition, crdOf(GADGET), { fieldManager: 'test' });
  onTestFinished(async () => {
    await admin.delete(types.customResourceDefinition, { name: `${GADGET.plural}.${GADGET.group}` });
  });
  await eventually(() => admin.list(GADGET));
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1, gadget: true });
  await inPhase(namespace, 'w', 'Running');
  await child(GADGET, namespace, 'w');
  await quiet(namespace);
});

test('a failed Job is made anew, and that it failed is in the status before it is gone', async () => {
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

test('a Job whose template has changed starts anew while it runs, and is left alone once it is complete', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', job: true, simulated: { 'sim.trunnion.dev/delay-seconds': '3600' } });
  const first = await eventually(() => child(JOB, namespace, 'w'));
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
