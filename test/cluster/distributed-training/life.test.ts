import { beforeAll, describe, expect, it } from 'vitest';
import { isNotFound } from '../../../operator/kube/client/errors.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { distributedTrainingType, simulated, TrainingUnderTest, trainingSpec } from '../support/training.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

async function setUp(): Promise<TrainingUnderTest> {
  const namespace = await testNamespace(admin, { 'pod-security.kubernetes.io/enforce': 'restricted' });
  await startOperator(admin, namespace);
  return new TrainingUnderTest(admin, namespace);
}

const jobs = async ({ namespace }: TrainingUnderTest): Promise<readonly string[]> =>
  (await admin.list(TYPES.job, { namespace })).items.map(({ metadata }) => metadata.name);

const budgets = async ({ namespace }: TrainingUnderTest): Promise<number> =>
  (await admin.list(TYPES.podDisruptionBudget, { namespace })).items.length;

const brief = { metadata: { annotations: simulated({ 'delay-seconds': '1' }) } };

describe('the life of a DistributedTraining', () => {
  it('goes from Pending through Running to Completed, under the restricted standard, with a line a rank', async () => {
    const training = await setUp();
    await training.apply(trainingSpec);
    const running = await training.reaches('Running');
    expect(running.status).toMatchObject({
      attempt: 1,
      failures: 0,
      replicas: 2,
      readyReplicas: 2,
      workerStatuses: [
        { rank: 0, phase: 'Running', node: expect.any(String), pod: expect.stringMatching(/^resnet-1-0-/) },
        { rank: 1, phase: 'Running' },
      ],
    });
    expect(await budgets(training)).toBe(1);
    const [first] = await training.pods();
    expect(first?.['spec']).toMatchObject({ hostname: 'resnet-1-0', subdomain: 'resnet' });
    await training.finish();
    const { status } = await training.reaches('Completed');
    expect(status).toMatchObject({
      startTime: expect.any(String),
      completionTime: expect.any(String),
      workerStatuses: [
        { rank: 0, phase: 'Succeeded', exitCode: 0 },
        { rank: 1, phase: 'Succeeded', exitCode: 0 },
      ],
    });
    expect(status?.attempts).toBeUndefined();
    await eventually(async () => expect(await budgets(training)).toBe(0));
    // Anyone who deletes the Job of a training that is over does not make it run again.
    await admin.delete(
      TYPES.job,
      { namespace: training.namespace, name: 'resnet-1' },
      { propagationPolicy: 'Background' },
    );
    await eventually(async () => expect(await jobs(training)).toEqual([]));
    await expect.poll(() => jobs(training), { timeout: 2_000 }).toEqual([]);
  });

  it('stops and starts again with suspend, in an attempt of its own', async () => {
    const training = await setUp();
    await training.apply(trainingSpec);
    await training.reaches('Running');
    await training.apply({ ...trainingSpec, suspend: true });
    await training.hasCondition('Suspended', 'True', 'Suspended');
    expect(await training.pods()).toEqual([]);
    expect(await budgets(training)).toBe(0);
    await training.apply(trainingSpec);
    const { status } = await training.reaches('Running');
    expect(status).toMatchObject({
      attempt: 2,
      failures: 0,
      attempts: [{ number: 1, reason: 'Suspended', charged: 0 }],
    });
    expect(await jobs(training)).toEqual(['resnet-2']);
  });

  it('starts again by itself in a queue that nobody runs, however long it was suspended', async () => {
    const training = await setUp();
    const queued = { ...trainingSpec, queue: 'team-a' };
    await training.apply({ ...queued, suspend: true });
    await training.hasCondition('Suspended', 'True', 'Suspended');
    await eventually(async () => expect(await jobs(training)).toEqual(['resnet-1']));
    await training.apply(queued);
    await training.reaches('Running');
    await training.apply({ ...queued, suspend: true });
    await training.hasCondition('Suspended', 'True', 'Suspended');
    await eventually(async () => expect(await jobs(training)).toEqual(['resnet-2']));
    await training.apply(queued);
    expect((await training.reaches('Running')).status).toMatchObject({ attempt: 2, failures: 0 });
  });

  it('waits suspended from the beginning', async () => {
    const training = await setUp();
    await training.apply({ ...trainingSpec, suspend: true });
    await training.reaches('Suspended');
    expect(await training.pods()).toEqual([]);
    await training.apply(trainingSpec);
    const { status } = await training.reaches('Running');
    expect(status).toMatchObject({ attempt: 1 });
    expect(await jobs(training)).toEqual(['resnet-1']);
  });

  it('gives up when the budget is used up, keeps what failed for its log, and stops the rest', async () => {
    const training = await setUp();
    const failing = { metadata: { annotations: simulated({ fail: '3', message: 'loss is NaN' }) } };
    await training.apply({ ...trainingSpec, retry: { limit: 1, backoffSeconds: 1 }, podTemplate: failing });
    const { status } = await training.reaches('Failed');
    expect(status).toMatchObject({
      failures: 2,
      attempts: [
        { number: 1, reason: 'ProgramFailed', exitCode: 3, charged: 1 },
        { number: 2, reason: 'ProgramFailed', exitCode: 3, message: expect.stringMatching(/loss is NaN/) },
      ],
    });
    await training.hasCondition('Failed', 'True', 'RetryLimitExceeded', /loss is NaN/);
    expect(await jobs(training)).toEqual(['resnet-2']);
    await eventually(async () => {
      const phases = (await training.pods()).map((pod) => (pod['status'] as { phase: string }).phase);
      expect(phases).toContain('Failed');
      expect(phases).not.toContain('Running');
    });
  });

  it('starts a new attempt, not charged, when the spec changes, and none when only replicas of an elastic one do', async () => {
    const training = await setUp();
    const elastic = { ...trainingSpec, elastic: { minReplicas: 1, maxReplicas: 4 } };
    await training.apply(elastic);
    await training.reaches('Running');
    await training.apply({ ...elastic, replicas: 3 });
    await training.shows(({ status }) =>
      expect(status).toMatchObject({ phase: 'Running', readyReplicas: 3, attempt: 1 }),
    );
    await training.apply({ ...elastic, hyperparameters: { EPOCHS: '3' } });
    const { status } = await training.shows(({ status: now }) =>
      expect(now).toMatchObject({ phase: 'Running', attempt: 2 }),
    );
    expect(status).toMatchObject({ failures: 0, attempts: [{ reason: 'SpecChanged', charged: 0 }] });
  });

  it('ends with its deadline', async () => {
    const training = await setUp();
    await training.apply({ ...trainingSpec, activeDeadlineSeconds: 3 });
    await training.hasCondition('Failed', 'True', 'DeadlineExceeded');
  });

  it('is deleted, with all that it was made of, when its time is over, and does not come back', async () => {
    const training = await setUp();
    await training.apply({ ...trainingSpec, podTemplate: brief, ttlSecondsAfterFinished: 1 });
    await training.reaches('Completed');
    await eventually(async () => expect(await admin.find(distributedTrainingType, training)).toBeUndefined());
    await eventually(async () => {
      expect(await jobs(training)).toEqual([]);
      expect(await training.pods()).toEqual([]);
    });
    await expect.poll(() => jobs(training), { timeout: 2_000 }).toEqual([]);
  });

  it('leaves nothing behind when it is deleted', async () => {
    const training = await setUp();
    await training.apply(trainingSpec);
    await training.reaches('Running');
    await training.delete();
    await eventually(async () => {
      expect(await jobs(training)).toEqual([]);
      expect(await training.pods()).toEqual([]);
      expect(await admin.find(TYPES.service, training)).toBeUndefined();
    });
  });

  it('waits for the pods of an earlier one of its name', async () => {
    const training = await setUp();
    const slow = { ...trainingSpec, checkpoint: { uri: 's3://ml-checkpoints', graceSeconds: 3 } };
    const lingering = simulated({ 'delay-seconds': '600', 'termination-seconds': '3' });
    await training.apply({ ...slow, podTemplate: { metadata: { annotations: lingering } } });
    await training.reaches('Running');
    const before = new Set((await training.pods()).map(({ metadata }) => metadata.uid));
    await training.delete();
    await training.apply(trainingSpec);
    const { status } = await training.reaches('Running');
    expect(status).toMatchObject({ attempt: 1, failures: 0 });
    expect(status?.attempts).toBeUndefined();
    const after = (await training.pods()).map(({ metadata }) => metadata.uid);
    expect(after.filter((uid) => before.has(uid))).toEqual([]);
  });

  it.each([
    [
      'tensorflow',
      { framework: 'tensorflow', tensorflow: { parameterServers: 1 } },
      ['chief', 'worker', 'ps'],
      'chief',
    ],
    ['mxnet', { framework: 'mxnet' }, ['scheduler', 'server', 'worker'], 'worker'],
    ['mpi', { framework: 'mpi' }, ['worker', 'launcher'], 'launcher'],
    ['jax', { framework: 'jax' }, ['worker'], 'worker'],
  ] as const)('runs %s, and ends with its leading role', async (_, own, roles, leading) => {
    const training = await setUp();
    await training.apply({ ...trainingSpec, ...own });
    // Its init container, which waits for the workers, would take as long as they work.
    if (leading === 'launcher') await training.simulate(0, { 'delay-seconds': '2' }, leading);
    await training.reaches('Running');
    for (const role of roles) expect((await training.pods(role)).length, role).toBeGreaterThan(0);
    for (const { metadata } of await training.pods(leading)) {
      await admin.patch(TYPES.pod, metadata, { metadata: { annotations: simulated({ 'delay-seconds': '0' }) } });
    }
    await training.reaches('Completed');
    await eventually(async () => {
      for (const role of roles.filter((other) => other !== leading))
        expect(await training.pods(role), role).toEqual([]);
    });
  });

  it('makes a key for MPI once, which goes with it', async () => {
    const training = await setUp();
    await training.apply({ ...trainingSpec, framework: 'mpi' });
    await training.simulate(0, { fail: '1' }, 'launcher');
    const ref = { namespace: training.namespace, name: 'resnet-ssh' };
    const secret = await admin.get(TYPES.secret, ref);
    expect(secret['data']).toMatchObject({ 'ssh-privatekey': expect.any(String), 'ssh-publickey': expect.any(String) });
    await training.simulate(0, { 'delay-seconds': '2' }, 'launcher');
    await training.shows(({ status }) =>
      expect(status).toMatchObject({ attempt: 2, attempts: [{ role: 'launcher', exitCode: 1 }] }),
    );
    await eventually(async () => expect(await jobs(training)).toEqual(['resnet-launcher-2', 'resnet-worker-2']));
    expect((await admin.get(TYPES.secret, ref)).metadata.uid).toBe(secret.metadata.uid);
    await training.delete();
    await eventually(async () => {
      await expect(admin.get(TYPES.secret, ref)).rejects.toSatisfy(isNotFound);
    });
  });
});
