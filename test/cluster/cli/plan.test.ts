import { beforeAll, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { describePlan } from '../../../cli/plan/print.ts';
import type { ResourcePlan } from '../../../cli/plan/types.ts';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { trunnion } from '../../support/trunnion.ts';
import { mark, mutationsSince, type Mutation } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { modelServingType, servingSpec, ServingUnderTest } from '../support/serving.ts';
import { TrainingUnderTest, trainingSpec } from '../support/training.ts';

const admin = adminClient();
let namespace = '';

beforeAll(() => installTrunnion(admin));
beforeEach(async () => {
  namespace = await testNamespace(admin);
});

const serving = (spec: Partial<ModelServingSpecInput> = {}) => ({
  apiVersion: 'trunnion.dev/v1alpha1',
  kind: 'ModelServing',
  metadata: { name: 'llama', namespace },
  spec: {
    ...servingSpec,
    ...spec,
  },
});

async function plan(resource: object): Promise<ResourcePlan> {
  const where = ['--kubeconfig', cluster().kubeconfig];
  const { code, stdout, stderr } = await trunnion(['plan', '-f', '-', '-o', 'json', ...where], stringify(resource));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [first]: ResourcePlan[] = JSON.parse(stdout);
  if (first === undefined) throw new Error('there is no plan');
  return first;
}

/** Applies a resource and waits until it runs. */
async function running(resource: ReturnType<typeof serving>): Promise<void> {
  const live = new ServingUnderTest(admin, namespace);
  await live.apply(resource.spec);
  await live.reaches('Running');
}

const objects = (changes: ResourcePlan['now']): string[] => changes.map(({ action, object }) => `${action} ${object}`);

test('a resource that is new: what is made at once, and what waits for the weights', async () => {
  const { now, later, restarts } = await plan(serving());
  expect(objects(now)).toEqual(expect.arrayContaining(['create Service llama', 'create ServiceAccount llama']));
  expect(objects(later)).toContain('create Deployment llama');
  expect(restarts).toEqual([]);
});

test('a plan writes nothing', async () => {
  const from = mark();
  await plan(serving());
  // The cluster's controllers write into a namespace that is new, too.
  const ours = ({ user, namespace: where }: Mutation): boolean => user === 'admin' && where === namespace;
  const written = (await mutationsSince(admin, from)).filter(ours);
  expect(written.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(written.map(() => 'patch modelservings'));
  expect(await admin.find(modelServingType, { namespace, name: 'llama' })).toBeUndefined();
});

test('a resource that runs as it is written: nothing to do', async () => {
  await startOperator(admin, namespace);
  await running(serving());
  expect(await plan(serving())).toMatchObject({ now: [], later: [], restarts: [], obstacles: [] });
});

test('an argument that changes: the field, and the pods that restart', async () => {
  await startOperator(admin, namespace);
  await running(serving());
  const { now, restarts } = await plan(serving({ engine: { type: 'vllm', args: ['--max-model-len=4096'] } }));
  expect(now).toEqual([
    {
      action: 'change',
      object: 'Deployment llama',
      fields: [{ path: expect.stringMatching(/containers\[server\]\.args\[\d\]$/), to: '--max-model-len=4096' }],
    },
  ]);
  expect(restarts).toEqual([expect.stringMatching(/^llama-/)]);
});

test('another model: it is fetched first, then the pods restart, then the old weights go', async () => {
  await startOperator(admin, namespace);
  await running(serving());
  const { now, later, restarts } = await plan(serving({ model: { uri: 's3://models/second/' } }));
  expect(objects(now)).toEqual([
    expect.stringMatching(/^create PersistentVolumeClaim llama-weights-/),
    expect.stringMatching(/^create Job llama-fetch-/),
  ]);
  expect(objects(later)).toEqual(
    expect.arrayContaining([
      'change Deployment llama',
      expect.stringMatching(/^delete PersistentVolumeClaim llama-weights-/),
    ]),
  );
  expect(restarts).toEqual([expect.stringMatching(/^llama-/)]);
});

test('replicas that go over to an autoscaler change nothing about how many there are', async () => {
  await startOperator(admin, namespace);
  await running(serving({ replicas: 2 }));
  const { replicas: _, ...spec } = serving().spec;
  const autoscaling = { minReplicas: 1, maxReplicas: 3, targets: { cpuPercent: 80 } };
  const { now, restarts } = await plan({ ...serving(), spec: { ...spec, autoscaling } });
  expect(objects(now)).toContain('create HorizontalPodAutoscaler llama');
  expect(objects(now)).not.toContain('change Deployment llama');
  expect(restarts).toEqual([]);
});

test('an object of that name that is not ours is reported', async () => {
  const metadata = { name: 'llama', namespace };
  const spec = { ports: [{ port: 80 }] };
  await admin.create(TYPES.service, { apiVersion: 'v1', kind: 'Service', metadata, spec });
  const { now, obstacles } = await plan(serving());
  expect(objects(now)).not.toContain('create Service llama');
  expect(obstacles).toEqual([
    { object: 'Service llama', message: expect.stringContaining('was not made for this resource') },
  ]);
});

const training = (spec: object) => ({
  apiVersion: 'trunnion.dev/v1alpha1',
  kind: 'DistributedTraining',
  metadata: { name: 'resnet', namespace },
  spec: { ...trainingSpec, ...spec },
});

/** A training that runs, and is done soon. */
async function trained(): Promise<TrainingUnderTest> {
  await startOperator(admin, namespace);
  const live = new TrainingUnderTest(admin, namespace);
  await live.apply(trainingSpec);
  await live.reaches('Running');
  return live;
}

test.each([
  ['another image', { image: 'pytorch/pytorch:2.9.1-cuda13.0-cudnn9-runtime' }],
  ['more ranks', { replicas: 4 }],
  ['another deadline', { activeDeadlineSeconds: 60 }],
])('%s for a training that has ended: nothing happens, and why, in a few words', async (_, spec) => {
  const live = await trained();
  await live.finish();
  await live.reaches('Completed');
  const planned = await plan(training(spec));
  expect(planned.notes).toEqual([expect.stringMatching(/^It has ended \(Completed, at .*nothing is run again/)]);
  expect(objects([...planned.now, ...planned.later]).filter((change) => change.includes('Job'))).toEqual(
    'activeDeadlineSeconds' in spec ? ['change Job resnet-1'] : [],
  );
  expect(planned).toMatchObject({ restarts: [], obstacles: [] });
  expect(describePlan(planned).length).toBeLessThan(600);
});

test('a change of a training that is suspended: that no pod runs', async () => {
  const live = await trained();
  await live.apply({ ...trainingSpec, suspend: true });
  await live.hasCondition('Suspended', 'True', 'Suspended');
  const planned = await plan(training({ suspend: true, replicas: 3 }));
  expect(planned).toMatchObject({ restarts: [], obstacles: [], notes: [expect.stringMatching(/^It is suspended/)] });
});

test('a change of a service that is out of service: that it has no pods', async () => {
  await startOperator(admin, namespace);
  const live = new ServingUnderTest(admin, namespace);
  await live.apply({ ...servingSpec, retired: true });
  await live.reaches('Retired');
  const planned = await plan(serving({ retired: true, engine: { type: 'vllm', args: ['--max-model-len=4096'] } }));
  expect(planned).toMatchObject({
    restarts: [],
    obstacles: [],
    notes: [expect.stringMatching(/^It is out of service/)],
  });
  expect(objects([...planned.now, ...planned.later])).toEqual([]);
});

test('a change of what is left alone: nothing, and which annotation keeps it so', async () => {
  await startOperator(admin, namespace);
  await running(serving());
  const paused = { metadata: { annotations: { 'trunnion.dev/paused': 'by hand' } } };
  await admin.patch(modelServingType, { namespace, name: 'llama' }, paused);
  expect(await plan(serving({ replicas: 2 }))).toMatchObject({
    now: [],
    later: [],
    notes: [expect.stringMatching(/while its annotation trunnion\.dev\/paused is there/)],
  });
});

test("a spec that can't work is refused with the API server's words", async () => {
  const where = ['--kubeconfig', cluster().kubeconfig];
  const resource = stringify(serving({ resources: { gpu: -1, memory: '16Gi' } }));
  const { code, stdout, stderr } = await trunnion(['plan', '-f', '-', ...where], resource);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('spec.resources.gpu');
});
