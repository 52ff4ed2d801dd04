import { beforeAll, expect, test } from 'vitest';
import type { Kind } from '../../../operator/engine/api/kind.ts';
import { agentService } from '../../../operator/kinds/agent-service/index.ts';
import { distributedTraining } from '../../../operator/kinds/distributed-training/index.ts';
import { modelServing } from '../../../operator/kinds/model-serving/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/client/types.ts';
import { trunnion } from '../../support/trunnion.ts';
import { agentSpec, AgentUnderTest } from '../support/agent.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { servingSpec, ServingUnderTest } from '../support/serving.ts';
import { trainingSpec, TrainingUnderTest } from '../support/training.ts';
import { Wanderer } from './support/handover.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** What Velero creates again of an object: `resetMetadataAndStatus` of pkg/restore/restore.go. */
function restored(object: KubeObject): KubeObject {
  const { metadata, status: _, ...rest } = object;
  const { name, namespace, labels, annotations, managedFields, finalizers } = metadata;
  const kept = { name, namespace, labels, annotations, managedFields, finalizers };
  const spec = withoutAddress(object['spec']);
  return JSON.parse(JSON.stringify({ ...rest, ...(spec && { spec }), metadata: kept })) as KubeObject;
}

/** A Service gets a new address, but for a headless one: pkg/restore/actions/service_action.go. */
function withoutAddress(spec: unknown): object | undefined {
  if (typeof spec !== 'object' || spec === null) return undefined;
  const { clusterIP, clusterIPs, ...rest } = spec as { readonly clusterIP?: string; readonly clusterIPs?: unknown };
  return clusterIP === 'None' ? { ...rest, clusterIP, clusterIPs } : rest;
}

/** Deletes an object without what belongs to it, and creates it again: its UID, its owners and its status are gone. */
async function restore(type: ResourceType, object: KubeObject): Promise<void> {
  const { uid } = object.metadata;
  await admin.patch(type, object.metadata, { metadata: { uid, finalizers: null } });
  await admin.delete(type, object.metadata, {
    uid,
    propagationPolicy: type.kind === 'Deployment' ? 'Orphan' : 'Background',
  });
  await eventually(async () => expect((await admin.find(type, object.metadata))?.metadata.uid).not.toBe(uid), {
    timeout: 60_000,
  });
  await admin.create(
    type,
    { ...restored(object), apiVersion: object.apiVersion, kind: type.kind },
    { fieldManager: 'velero-server' },
  );
}

/** Types whose objects hold on to their pods, or to data, by their UID: they lose their owners alone. */
const KEPT = new Set(['PersistentVolumeClaim', 'Job']);

/** Restores a resource and all that was made for it. */
async function restoreAll(kind: Kind, workload: Wanderer<never>): Promise<void> {
  const { namespace, name } = workload;
  const children = await workload.objects();
  const resource = await admin.get(kind.type, { namespace, name });
  for (const child of children) {
    const { uid } = child.metadata;
    const type = kind.childTypes.find((one) => one.kind === child.kind);
    if (type === undefined) throw new Error(`${child.kind} is no type of child`);
    await admin.patch(type, child.metadata, { metadata: { uid, ownerReferences: null } });
  }
  await restore(kind.type, resource);
  for (const child of children) {
    const type = kind.childTypes.find((one) => one.kind === child.kind);
    // Velero leaves out Jobs that are complete: `isCompleted` of pkg/restore/restore.go.
    const isDone = child.metadata.labels?.['app.kubernetes.io/component'] === 'fetcher' && child.kind === 'Job';
    if (type && isDone) await admin.delete(type, child.metadata, { propagationPolicy: 'Background' });
    else if (type && !KEPT.has(child.kind)) await restore(type, await admin.get(type, child.metadata));
  }
}

const adoptAll = (...flags: string[]) => trunnion(['adopt', '--all', ...flags, '--kubeconfig', cluster().kubeconfig]);

test('what a restore has left without owners, UIDs and status is brought back by one command, and no pod notices', async () => {
  const namespace = await testNamespace(admin);
  const operator = await startOperator(admin, namespace);
  const [serving, agent, training] = [
    new ServingUnderTest(admin, namespace),
    new AgentUnderTest(admin, namespace),
    new TrainingUnderTest(admin, namespace),
  ];
  await Promise.all([serving.apply(servingSpec), agent.apply(agentSpec), training.apply(trainingSpec)]);
  await serving.hasCondition('Ready', 'True', 'Ready');
  await agent.hasCondition('Ready', 'True', 'Ready');
  await training.reaches('Running');
  const workloads = [
    [modelServing, new Wanderer<never>(admin, modelServing, namespace, serving.name)],
    [agentService, new Wanderer<never>(admin, agentService, namespace, agent.name)],
    [distributedTraining, new Wanderer<never>(admin, distributedTraining, namespace, training.name)],
  ] as const;
  const pods = async () =>
    (await admin.list(TYPES.pod, { namespace, labelSelector: 'app.kubernetes.io/component!=fetcher' })).items
      .map(({ metadata: { name, uid, deletionTimestamp } }) => `${name} ${uid} ${deletionTimestamp ?? ''}`)
      .sort();
  const before = await pods();
  await operator.stop();
  for (const [kind, workload] of workloads) await restoreAll(kind, workload);

  await startOperator(admin, namespace);
  await serving.hasCondition('Ready', 'False', 'NameTaken');

  const shown = await adoptAll('-n', namespace, '--dry-run');
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('→ Deployment llama') });
  expect(await adoptAll('-n', namespace, '--yes')).toMatchObject({ code: 0 });
  await serving.hasCondition('Ready', 'True', 'Ready');
  await agent.hasCondition('Ready', 'True', 'Ready');
  await training.reaches('Running');
  for (const [, workload] of workloads) await workload.belongsToOperator({ retained: false });
  expect(await pods()).toEqual(before);
  expect(await adoptAll('-n', namespace, '--yes')).toMatchObject({ code: 0, stdout: 'Nothing to do.\n' });
});

test('one resource that cannot be adopted as it is keeps none of the others from it, and is reported', async () => {
  const namespace = await testNamespace(admin);
  const other = new Wanderer<object>(admin, agentService, namespace, 'other');
  const taken = await admin.create(TYPES.configMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: 'nobody' },
  });
  for (const name of ['support-agent', 'other']) {
    await new AgentUnderTest(admin, namespace, name).apply(agentSpec);
    const manifests = await new Wanderer<object>(admin, agentService, namespace, name).manifests(agentSpec);
    for (const manifest of manifests) {
      const type = agentService.childTypes.find((one) => one.kind === manifest.kind);
      // One of them belongs to another controller.
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: taken.metadata.uid, controller: true };
      const isTaken = name === 'other' && manifest.kind === 'Deployment';
      const metadata = { ...manifest.metadata, ...(isTaken && { ownerReferences: [owner] }) };
      if (type) await admin.create(type, { ...manifest, metadata });
    }
  }
  await startOperator(admin, namespace);
  const { code, stderr } = await adoptAll('-n', namespace, '--yes');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /AgentService \S+\/other can't be adopted as it is: Deployment other: is controlled by another/,
  );
  await new AgentUnderTest(admin, namespace).hasCondition('Ready', 'True', 'Ready');
  expect((await other.objects()).length).toBeGreaterThan(0);
});

test('of all namespaces is said explicitly', async () => {
  for (const args of [['-A'], ['adopt', 'llama', '--all'], []]) {
    const { code, stderr } = await trunnion(args[0] === 'adopt' ? args : ['adopt', ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--all/);
  }
});
