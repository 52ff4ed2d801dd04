import { beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/client/types.ts';
import { modelServing } from '../../../operator/kinds/model-serving/index.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator, stopOperators } from '../support/operator.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const spec = { ...servingSpec, replicas: 2, expose: { ingress: { host: 'llama.example.com', className: 'nginx' } } };

async function running(): Promise<ServingUnderTest> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const serving = new ServingUnderTest(admin, namespace);
  await serving.apply(spec);
  await serving.reaches('Running');
  return serving;
}

interface Child {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

/** Every live child of a resource. */
async function childrenOf({ namespace, name }: ServingUnderTest): Promise<readonly Child[]> {
  const labelSelector = `app.kubernetes.io/managed-by=trunnion,app.kubernetes.io/instance=${name}`;
  const lists = await Promise.all(
    modelServing.childTypes
      .filter(({ optional }) => optional !== true)
      .map(async (type) =>
        (await admin.list(type, { namespace, labelSelector })).items.map((object): Child => ({ type, object })),
      ),
  );
  return lists.flat();
}

/** What the operator has said of edits by hand, by its reason. */
async function edits({ namespace }: ServingUnderTest): Promise<readonly string[]> {
  const { items } = await admin.list(TYPES.coreEvent, { namespace });
  const events = items as readonly (KubeObject & { readonly reason: string; readonly message: string })[];
  return events
    .filter(({ reason }) => reason === 'EditReverted' || reason === 'ChildRecreated')
    .map(({ reason, message }) => `${reason}: ${message}`);
}

/** What a child is, but for what the server and others write. */
const essence = ({ metadata, ...rest }: KubeObject): unknown => ({
  labels: metadata.labels,
  owners: metadata.ownerReferences,
  spec: rest['spec'],
  data: rest['data'],
});

describe('drift of a child is corrected', () => {
  it('of every kind: deleted by hand, it comes back', async () => {
    const serving = await running();
    const before = await childrenOf(serving);
    expect(before.length).toBeGreaterThanOrEqual(9);
    for (const { type, object } of before) {
      // A claim in use stays until its pods are gone: that is Kubernetes' own protection, not drift.
      if (type.kind === 'PersistentVolumeClaim') continue;
      // So does a policy of pods that run, by ours: see policies.test.ts.
      if (type.kind === 'NetworkPolicy' && object.metadata.name === serving.name) continue;
      await admin.delete(type, object.metadata, { propagationPolicy: 'Background' });
      await eventually(async () => {
        const again = await admin.get(type, object.metadata);
        expect(again.metadata.uid).not.toBe(object.metadata.uid);
        expect(again.metadata.ownerReferences).toEqual(object.metadata.ownerReferences);
      });
    }
    await serving.reaches('Running');
  });

  it('of every kind: a label or the owner removed by hand is put back', async () => {
    const serving = await running();
    for (const { type, object } of await childrenOf(serving)) {
      const labels = { 'app.kubernetes.io/managed-by': null, 'app.kubernetes.io/component': 'mine' };
      await admin.patch(type, object.metadata, { metadata: { labels } });
      await eventually(async () =>
        expect((await admin.get(type, object.metadata)).metadata.labels).toEqual(object.metadata.labels),
      );
    }
  });

  it('of every kind with a spec: an edited field is put back', async () => {
    const serving = await running();
    const edits: Readonly<Record<string, object>> = {
      Deployment: { spec: { replicas: 5 } },
      Service: { spec: { selector: { app: 'theirs' } } },
      NetworkPolicy: { spec: { egress: [] } },
      PodDisruptionBudget: { spec: { maxUnavailable: 2 } },
      Ingress: { spec: { ingressClassName: 'theirs' } },
      ConfigMap: { data: { 'fetch.mjs': 'theirs' } },
    };
    for (const { type, object } of await childrenOf(serving)) {
      const edit = edits[type.kind];
      if (edit === undefined) continue;
      await admin.patch(type, object.metadata, edit);
      await eventually(async () =>
        expect(essence(await admin.get(type, object.metadata))).toMatchObject(essence(object) as object),
      );
    }
  });

  it('an edit and a deletion are events, with who did it and how to pause', async () => {
    const serving = await running();
    const { namespace, name } = serving;
    const pause = `To work on it by hand, pause first: kubectl annotate -n ${namespace} modelserving/${name} trunnion.dev/paused="why"`;
    await admin.patch(
      TYPES.deployment,
      { namespace, name },
      { spec: { replicas: 5 } },
      { fieldManager: 'kubectl-scale' },
    );
    await eventually(async () =>
      expect(await edits(serving)).toEqual([
        `EditReverted: Deployment ${name}: spec.replicas was set to 5 by kubectl-scale. It is put back. ${pause}`,
      ]),
    );
    await admin.delete(TYPES.service, { namespace, name });
    await eventually(async () =>
      expect(await edits(serving)).toContain(
        `ChildRecreated: Service ${name} was deleted, and not by the operator: it is created again. ${pause}`,
      ),
    );
  });

  it('what the operator itself changes, and what was changed while none ran, is no edit by hand', async () => {
    const serving = await running();
    const { namespace, name } = serving;
    await serving.apply({ ...spec, replicas: 1, engine: { type: 'vllm', args: ['--max-model-len=2048'] } });
    await serving.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 1 }));
    await stopOperators();
    await admin.delete(TYPES.service, { namespace, name });
    await startOperator(admin, namespace);
    await eventually(async () => expect(await admin.find(TYPES.service, { namespace, name })).toBeDefined());
    expect(await edits(serving)).toEqual([]);
  });

  it('replaced by hand with another object of its name: theirs is reported and not changed', async () => {
    const serving = await running();
    const { namespace, name } = serving;
    await stopOperators();
    await admin.delete(TYPES.podDisruptionBudget, { namespace, name });
    const theirs = await admin.create(TYPES.podDisruptionBudget, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'theirs' } } },
    });
    await startOperator(admin, namespace);
    await serving.hasCondition('Ready', 'False', 'NameTaken', /PodDisruptionBudget/);
    // Its status is the disruption controller's, so its version is no measure.
    expect(essence(await admin.get(TYPES.podDisruptionBudget, { namespace, name }))).toEqual(essence(theirs));
  });

  it('keeps the fields that others own', async () => {
    const serving = await running();
    const { namespace, name } = serving;
    await admin.patch(
      TYPES.deployment,
      { namespace, name },
      { metadata: { annotations: { 'example.com/team': 'search' } } },
    );
    await admin.patch(
      TYPES.service,
      { namespace, name },
      { metadata: { labels: { 'example.com/cost': '42' } }, spec: { sessionAffinity: 'ClientIP' } },
    );
    await serving.apply({ ...spec, engine: { type: 'vllm', args: ['--max-model-len=2048'] } });
    await serving.reaches('Running');
    expect((await admin.get(TYPES.deployment, { namespace, name })).metadata.annotations).toMatchObject({
      'example.com/team': 'search',
    });
    const service = await admin.get(TYPES.service, { namespace, name });
    expect(service.metadata.labels).toMatchObject({ 'example.com/cost': '42' });
    expect(service['spec']).toMatchObject({ sessionAffinity: 'ClientIP' });
  });

  it('hands the replicas over to an autoscaler and takes them back, without a pod less', async () => {
    const serving = await running();
    const { namespace, name } = serving;
    const replicasOf = async (): Promise<unknown> =>
      ((await admin.get(TYPES.deployment, { namespace, name }))['spec'] as { replicas: number }).replicas;
    const { replicas: _, ...rest } = spec;
    await serving.apply({ ...rest, autoscaling: { minReplicas: 2, maxReplicas: 4, targets: { cpuPercent: 70 } } });
    await eventually(async () =>
      expect(await admin.find(TYPES.horizontalPodAutoscaler, { namespace, name })).toBeDefined(),
    );
    expect(await replicasOf()).toBe(2);
    await admin.patch(TYPES.deployment, { namespace, name }, { spec: { replicas: 3 } }, { subresource: 'scale' });
    await serving.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 3 }));
    expect(await replicasOf()).toBe(3);
    await serving.apply(spec);
    await serving.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 2 }));
    expect(await admin.find(TYPES.horizontalPodAutoscaler, { namespace, name })).toBeUndefined();
  });
});
