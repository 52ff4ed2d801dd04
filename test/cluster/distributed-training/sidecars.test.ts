import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isNotFound } from '../../../operator/kube/client/errors.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { simulated, TrainingUnderTest, trainingSpec } from '../support/training.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const log = { name: 'log-agent', image: 'docker.io/fluent/fluent-bit:4.1' };
const podTemplate = { ...trainingSpec.podTemplate, spec: { containers: [log] } };

async function setUp(): Promise<TrainingUnderTest> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  return new TrainingUnderTest(admin, namespace);
}

const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

const running = { running: { startedAt: now() } };
const terminated = (exitCode: number, message = '') => ({
  terminated: {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    message,
    finishedAt: now(),
    startedAt: now(),
  },
});

/** Says of a pod what a kubelet would, whose simulation leaves it alone from then on until it is deleted. */
async function report(
  training: TrainingUnderTest,
  rank: number,
  phase: string,
  states: Readonly<Record<'trainer' | 'log-agent', object>>,
): Promise<void> {
  await training.simulate(rank, { lost: 'true' });
  const pod = (await training.pods())[rank];
  if (!pod) throw new Error(`rank ${rank} has no pod`);
  const containerStatuses = Object.entries(states).map(([name, state]) => ({
    name,
    image: name,
    imageID: name,
    restartCount: 0,
    ready: 'running' in state,
    started: 'running' in state,
    state,
  }));
  await admin.patch(TYPES.pod, pod.metadata, { status: { phase, containerStatuses } }, { subresource: 'status' });
}

/** Lets the simulated kubelet stop the pods. */
async function release(training: TrainingUnderTest): Promise<void> {
  for (const { metadata } of await training.pods()) {
    const annotations = { 'sim.trunnion.dev/lost': null };
    // One that is stopped already may be gone.
    await admin.patch(TYPES.pod, metadata, { metadata: { annotations } }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

describe('a training with a container beside its program', () => {
  it('has succeeded with its programs, whatever the containers beside them do, and its pods are stopped', async () => {
    const training = await setUp();
    onTestFinished(() => release(training));
    await training.apply({ ...trainingSpec, podTemplate });
    await training.reaches('Running');
    await report(training, 0, 'Running', { trainer: terminated(0), 'log-agent': running });
    await report(training, 1, 'Running', { trainer: running, 'log-agent': terminated(137, 'out of memory') });
    await training.hasCondition(
      'Running',
      'True',
      'SidecarFailed',
      /log-agent ended with exit code 137: out of memory/,
    );
    // The Job counts this pod as failed.
    await report(training, 1, 'Failed', { trainer: terminated(0), 'log-agent': terminated(137) });
    const { status } = await training.reaches('Completed');
    expect(status).toMatchObject({
      failures: 0,
      workerStatuses: [
        { rank: 0, phase: 'Succeeded', exitCode: 0 },
        { rank: 1, phase: 'Succeeded', exitCode: 0 },
      ],
    });
    expect(status?.attempts).toBeUndefined();
    await release(training);
    await eventually(async () => {
      const phases = (await training.pods()).map((pod) => (pod['status'] as { phase?: string }).phase);
      expect(phases).not.toContain('Running');
      expect(phases).not.toContain('Pending');
    });
  });

  it('has failed with a program, though the container beside it runs on', async () => {
    const training = await setUp();
    onTestFinished(() => release(training));
    await training.apply({ ...trainingSpec, retry: { limit: 0 }, podTemplate });
    await training.reaches('Running');
    await report(training, 1, 'Running', { trainer: terminated(1, 'ValueError: no data'), 'log-agent': running });
    const { status } = await training.reaches('Failed');
    expect(status).toMatchObject({
      failures: 1,
      attempts: [
        { reason: 'ProgramFailed', rank: 1, exitCode: 1, message: expect.stringContaining('ValueError: no data') },
      ],
    });
  });

  it('ends by its Job alone where that container is a native sidecar', async () => {
    const training = await setUp();
    const native = { ...log, restartPolicy: 'Always' as const };
    const metadata = { annotations: simulated({ 'delay-seconds': '1' }) };
    await training.apply({ ...trainingSpec, podTemplate: { metadata, spec: { initContainers: [native] } } });
    await training.reaches('Completed');
    const { status } = await admin.get(TYPES.job, { namespace: training.namespace, name: 'resnet-1' });
    expect(status).toMatchObject({ succeeded: 2 });
  });
});
