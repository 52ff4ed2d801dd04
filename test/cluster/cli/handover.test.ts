import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adopt } from '../../../cli/handover/adopt.ts';
import { release } from '../../../cli/handover/release.ts';
import type {
  AgentServiceSpecInput,
  DistributedTrainingSpecInput,
  ModelServingSpecInput,
} from '../../../constructs/index.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { agentService } from '../../../operator/kinds/agent-service/index.ts';
import { distributedTraining } from '../../../operator/kinds/distributed-training/index.ts';
import { modelServing } from '../../../operator/kinds/model-serving/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { agentSpec, AgentUnderTest } from '../support/agent.ts';
import { adminClient } from '../support/client.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { modelServingType, servingSpec, ServingUnderTest } from '../support/serving.ts';
import { trainingSpec, TrainingUnderTest } from '../support/training.ts';
import { CutOff, manifestsIn, mortal, type StaticHost, staticHosts, Wanderer } from './support/handover.ts';

const admin = adminClient();
const hosts = staticHosts(admin, modelServing);
const spec: ModelServingSpecInput = { ...servingSpec, storage: { ...servingSpec.storage, retain: true } };
const { replicas: _, ...unscaled } = spec;

let namespace = '';
let llama: Wanderer<ModelServingSpecInput>;

beforeAll(() => installTrunnion(admin));
beforeEach(async () => {
  namespace = await testNamespace(admin);
  llama = new Wanderer(admin, modelServing, namespace, 'llama');
});

/** Runs a spec on a static host, until its pods are ready. */
async function running(host: StaticHost = hosts['kubectl apply'], given = spec): Promise<void> {
  await host(await llama.manifests(given));
  await llama.hasPods(given.replicas ?? 1);
}

const nothing = async (): Promise<void> => {
  expect(await admin.find(modelServingType, { namespace, name: 'llama' })).toBeUndefined();
};

const { 'a create by Pulumi': createdByPulumi, ...fieldManagers } = hosts;

test.for(Object.entries(fieldManagers))(
  'what %s has made goes over to the operator and back, and no pod notices',
  async ([, host]) => {
    await running(host);
    const before = await llama.identity();
    await startOperator(admin, namespace);

    expect(await llama.adopt(spec, '--yes')).toMatchObject({ code: 0 });
    await new ServingUnderTest(admin, namespace).hasCondition('Ready', 'True', 'Ready');
    await llama.belongsToOperator({ retained: true });
    expect(await llama.identity()).toEqual(before);
    expect((await llama.plan(spec)).stdout).toContain('Nothing to do.');

    const { code, stdout } = await llama.release('--yes');
    expect(code).toBe(0);
    await nothing();
    await llama.belongsToNobody();
    expect(await llama.identity()).toEqual(before);

    await host(manifestsIn(stdout));
    expect(await llama.identity()).toEqual(before);
  },
);

describe('the other kinds', () => {
  test('an agent goes over and back', async () => {
    const agent = new Wanderer<AgentServiceSpecInput>(admin, agentService, namespace, 'support-agent');
    await staticHosts(admin, agentService)['kubectl apply'](await agent.manifests(agentSpec));
    await agent.hasPods(1);
    const before = await agent.identity();
    await startOperator(admin, namespace);
    expect(await agent.adopt(agentSpec, '--yes')).toMatchObject({ code: 0 });
    await new AgentUnderTest(admin, namespace).hasCondition('Ready', 'True', 'Ready');
    await agent.belongsToOperator({ retained: true });
    expect(await agent.release('--yes')).toMatchObject({ code: 0 });
    await agent.belongsToNobody();
    expect(await agent.identity()).toEqual(before);
  });

  test('a training continues under the operator, and without it', async () => {
    const training = new Wanderer<DistributedTrainingSpecInput>(admin, distributedTraining, namespace, 'resnet');
    await staticHosts(admin, distributedTraining)['kubectl apply'](await training.manifests(trainingSpec));
    await training.hasPods(2);
    const before = await training.identity();
    await startOperator(admin, namespace);
    expect(await training.adopt(trainingSpec, '--yes')).toMatchObject({ code: 0 });
    await new TrainingUnderTest(admin, namespace).reaches('Running');
    await training.belongsToOperator({ retained: true });
    expect(await training.release('--yes')).toMatchObject({ code: 0 });
    await training.belongsToNobody();
    expect(await training.identity()).toEqual(before);
  });
});

describe('the plan', () => {
  test('is shown first; restarts are refused unless they are allowed; nothing is done unless somebody agrees', async () => {
    await running();
    const asked = await llama.adopt(spec);
    expect(asked).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing was done') });
    expect(asked.stdout).toContain('→ Deployment llama, from kubectl-client-side-apply\n');
    expect((await llama.adopt(spec, '--dry-run', '--yes')).stdout).toBe(asked.stdout);
    await nothing();

    const other = { ...spec, engine: { type: 'vllm', args: ['--max-model-len=4096'] } } as const;
    const { code, stdout, stderr } = await llama.adopt(other, '--yes');
    expect(code).toBe(1);
    expect(stdout).toMatch(/spec\.template\.spec\.containers\[server\]\.args\[\d\]: \(none\) → --max-model-len=4096/);
    expect(stderr).toMatch(/pods would restart: llama-\S+\. .*--allow-restart/);
    await nothing();
    expect(await llama.adopt(other, '--yes', '--allow-restart')).toMatchObject({ code: 0 });
    await llama.belongsToOperator({ retained: true });

    const { stdout: file } = await llama.release('--dry-run', '-o', 'pulumi');
    const { resources }: { resources: readonly object[] } = JSON.parse(file);
    expect(resources).toEqual(
      expect.arrayContaining([
        { type: 'trunnion:index:ModelServing', name: 'llama', component: true },
        { type: 'kubernetes:apps/v1:Deployment', name: 'llama-deployment', id: `${namespace}/llama`, parent: 'llama' },
        { type: 'kubernetes:core/v1:Service', name: 'llama-service', id: `${namespace}/llama`, parent: 'llama' },
      ]),
    );
    await llama.belongsToOperator({ retained: true });
  });

  test('what a host has applied beside goes and is reported; what others have set stays', async () => {
    const manifests = await llama.manifests(spec);
    await hosts['kubectl apply'](
      manifests.map((manifest) => {
        const { labels, ...metadata } = manifest.metadata;
        return { ...manifest, metadata: { ...metadata, labels: { ...labels, team: 'search' } } };
      }),
    );
    await llama.hasPods(1);
    const annotations = { 'example.com/note': 'kept' };
    await admin.patch(
      TYPES.service,
      { namespace, name: 'llama' },
      { metadata: { annotations } },
      { fieldManager: 'x' },
    );
    const { code, stdout } = await llama.adopt(spec, '--yes');
    expect(code).toBe(0);
    expect(stdout.match(/metadata\.labels\.team: search → \(none\)/g)).toHaveLength(manifests.length);
    for (const { metadata } of await llama.objects()) expect(metadata.labels).not.toHaveProperty('team');
    const { metadata } = await admin.get(TYPES.service, { namespace, name: 'llama' });
    expect(metadata.annotations).toMatchObject(annotations);
  });

  test('an object of that name that was not made for the workload keeps all of it from going over', async () => {
    const manifests = await llama.manifests(spec);
    const service = { name: 'llama', namespace, labels: { app: 'other' } };
    await admin.create(TYPES.service, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: service,
      spec: { ports: [{ port: 80 }] },
    });
    await hosts['an update by Pulumi'](manifests.filter(({ kind }) => kind !== 'Service'));
    const { code, stderr } = await llama.adopt(spec, '--yes');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('Service llama: exists and was not made'),
    });
    await nothing();
  });

  test('what is left of an earlier model stays, and is reported', async () => {
    await running();
    const claim = (await llama.objects()).find(({ kind }) => kind === 'PersistentVolumeClaim');
    const { labels } = claim?.metadata ?? {};
    const old = { name: 'llama-weights-0123456789', namespace, labels };
    const resources = { requests: { storage: '1Gi' } };
    const body = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: old,
      spec: { accessModes: ['ReadWriteMany'], resources },
    };
    await admin.create(TYPES.persistentVolumeClaim, body);
    await startOperator(admin, namespace);
    const { stdout } = await llama.adopt(spec, '--yes');
    expect(stdout).toContain('PersistentVolumeClaim llama-weights-0123456789 is no part of it');
    await new ServingUnderTest(admin, namespace).hasCondition('Ready', 'True', 'Ready');
    const { metadata } = await admin.get(TYPES.persistentVolumeClaim, old);
    expect(metadata.labels).toEqual(labels);
  });
});

test('replicas that were written and now scale by themselves keep their number', async () => {
  await running(hosts['kubectl apply'], { ...spec, replicas: 2 });
  const before = await llama.identity();
  const autoscaling = { minReplicas: 1, maxReplicas: 3, targets: { cpuPercent: 80 } };
  await startOperator(admin, namespace);
  const { code, stdout } = await llama.adopt({ ...unscaled, autoscaling }, '--yes');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('+ create HorizontalPodAutoscaler llama'),
  });
  await new ServingUnderTest(admin, namespace).hasCondition('Progressing', 'True', 'Complete');
  const autoscaler = await admin.get(TYPES.horizontalPodAutoscaler, { namespace, name: 'llama' });
  expect(autoscaler.metadata.ownerReferences).toHaveLength(1);
  expect((await llama.release('--yes')).code).toBe(0);
  expect(await llama.release('--yes')).toEqual({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('is released already'),
  });
  const after = (await llama.identity()) as { readonly objects: readonly string[]; readonly pods: readonly string[] };
  const { objects, pods } = before as typeof after;
  expect(after).toEqual({ pods, objects: expect.arrayContaining([...objects]) });
});

test('a resource whose names are taken says how it gets them, and gets them', async () => {
  await running(createdByPulumi);
  const before = await llama.identity();
  await startOperator(admin, namespace);
  const serving = new ServingUnderTest(admin, namespace);
  await serving.apply(spec);
  await serving.hasCondition('Ready', 'False', 'NameTaken', /pulumi-kubernetes.*trunnion adopt modelserving\/llama/);
  expect(await llama.identity()).toEqual(before);
  expect(await llama.adoptLive('--yes')).toMatchObject({ code: 0 });
  await serving.hasCondition('Ready', 'True', 'Ready');
  await llama.belongsToOperator({ retained: true });
  expect(await llama.identity()).toEqual(before);
});

test('cut off anywhere and begun again, it ends well, both ways', async () => {
  await running();
  const before = await llama.identity();
  await startOperator(admin, namespace);
  const options = { fieldManager: 'kubectl', allowRestart: false, wait: true };
  const manifest = llama.resource(spec);
  const metadata = { ...manifest.metadata, uid: '', resourceVersion: '', creationTimestamp: '' };
  const adopter = { kind: modelServing, manifest, resource: { ...manifest, metadata, spec } };
  const cuts = await untilDone((client) => adopt(client, adopter, options, () => undefined));
  expect(cuts).toBeGreaterThan(4);
  await llama.belongsToOperator({ retained: true });
  await new ServingUnderTest(admin, namespace).hasCondition('Ready', 'True', 'Ready');
  expect(await llama.identity()).toEqual(before);

  await untilDone(async (client) => {
    const resource = (await admin.find(modelServingType, { namespace, name: 'llama' })) as Resource | undefined;
    if (resource !== undefined) await release(client, modelServing, resource, false, () => undefined);
  });
  await nothing();
  await llama.belongsToNobody();
  expect(await llama.identity()).toEqual(before);
});

/** Does something again and again with clients that live a write longer each time; what runs must never notice. */
async function untilDone(attempt: (client: typeof admin) => Promise<void>): Promise<number> {
  const before = await llama.identity();
  for (let writes = 0; ; writes++) {
    try {
      await attempt(mortal(admin, writes));
      return writes;
    } catch (error) {
      if (!(error instanceof CutOff)) throw error;
    }
    expect(await llama.identity()).toEqual(before);
  }
}
