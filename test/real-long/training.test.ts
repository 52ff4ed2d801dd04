import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DistributedTrainingSpecInput } from '../../constructs/index.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { pythonImage } from '../real/images/python.ts';
import { TRAINER } from '../real/images/trainer.ts';
import type { Testbed } from '../real/support/testbed.ts';
import {
  checkpointVolume,
  RealTraining,
  runs,
  secondsBetween,
  startTrainingTestbed,
  TORCHRUN,
} from '../real/support/trainings.ts';

const pytorch = {
  ...runs('train.py', TORCHRUN),
  framework: 'pytorch',
  image: TRAINER.name,
  replicas: 2,
  retry: { limit: 2, backoffSeconds: 1, maxBackoffSeconds: 2 },
} satisfies DistributedTrainingSpecInput;

let testbed: Testbed;

beforeAll(async () => {
  testbed = await startTrainingTestbed([await pythonImage(TRAINER)]);
  await checkpointVolume(testbed.client);
});
afterAll(() => testbed?.stop());

const checkpointsOf = (name: string) => ({ uri: `pvc://checkpoints/${name}`, graceSeconds: 20 });

test('a rank of plain Python that ends with exit code 1 is named, and all resume from the last checkpoint', async () => {
  const training = new RealTraining(testbed, 'failing');
  await training.apply({
    ...pytorch,
    ...runs('train.py'),
    checkpoint: checkpointsOf('failing'),
    hyperparameters: { STEPS: '6', FAIL_RANK: '1', FAIL_STEP: '4' },
  });
  const seen = await training.reaches('Completed', 180_000);
  const { status } = seen;
  const [first] = status?.attempts ?? [];
  expect(status?.attempts).toMatchObject([
    {
      number: 1,
      reason: 'ProgramFailed',
      rank: 1,
      node: 'real-0',
      exitCode: 1,
      charged: 1,
      message: expect.stringContaining('rank 1 fails before step 4, as it was told'),
    },
  ]);
  expect(status).toMatchObject({ attempt: 2, failures: 1 });
  expect(await training.log()).toContain('rank 0 of 2 begins with step 4 from attempt-00001/step-3.pt');
  console.log(
    JSON.stringify({
      failing: {
        applyToCompletedSeconds: secondsBetween(seen.metadata.creationTimestamp, status?.completionTime),
        failureToNextStartSeconds: secondsBetween(first?.finishedAt, await training.startedAt()),
      },
    }),
  );
});

test('a pod of a torchrun of three that is deleted is charged to nobody, and all resume from the last checkpoint', async () => {
  const training = new RealTraining(testbed, 'deleted');
  await training.apply({
    ...pytorch,
    replicas: 3,
    checkpoint: checkpointsOf('deleted'),
    hyperparameters: { STEPS: '20' },
  });
  await training.prints('step 5 of 20, 3 ranks');
  const pod = (await training.pods())[2];
  await testbed.client.delete(TYPES.pod, pod?.metadata ?? { name: '' });
  const seen = await training.reaches('Completed', 180_000);
  const { status } = seen;
  const [first] = status?.attempts ?? [];
  expect(status?.attempts).toMatchObject([{ number: 1, reason: 'PodDeleted', rank: 2, node: 'real-0', charged: 0 }]);
  expect(status).toMatchObject({ attempt: 2, failures: 0 });
  expect(await training.log()).toMatch(/rank 0 of 3 begins with step (?:[6-9]|1\d) from attempt-00001\/step-\d+\.pt/);
  console.log(
    JSON.stringify({
      deleted: {
        applyToCompletedSeconds: secondsBetween(seen.metadata.creationTimestamp, status?.completionTime),
        failureToNextStartSeconds: secondsBetween(first?.finishedAt, await training.startedAt()),
      },
    }),
  );
});

test('a training that is suspended saves on the stop signal, and resumes from there', async () => {
  const training = new RealTraining(testbed, 'suspended');
  // Nothing is saved unless it is told to stop.
  const spec = {
    ...pytorch,
    checkpoint: checkpointsOf('suspended'),
    hyperparameters: { STEPS: '30', SAVE_EVERY: '1000' },
  };
  await training.apply(spec);
  await training.prints('step 3 of 30, 2 ranks');
  await training.apply({ ...spec, suspend: true });
  await training.shows(({ status }) => expect(status).toMatchObject({ phase: 'Suspended', replicas: 0 }));
  await training.apply({ ...spec, suspend: false });
  const { status } = await training.reaches('Completed', 180_000);
  expect(status).toMatchObject({ attempt: 2, failures: 0, attempts: [{ reason: 'Suspended', charged: 0 }] });
  const saved = /begins with step (\d+) from attempt-00001\/step-(\d+)\.pt/.exec(await training.log());
  expect(Number(saved?.[1])).toBe(Number(saved?.[2]) + 1);
  expect(Number(saved?.[2])).toBeGreaterThanOrEqual(3);
  console.log(JSON.stringify({ suspended: { savedStep: Number(saved?.[2]) } }));
});

test('processes of JAX in three pods find each other by what they are given, and compute together', async () => {
  const training = new RealTraining(testbed, 'collecting');
  await training.apply({
    ...runs('collect.py'),
    framework: 'jax',
    image: TRAINER.name,
    replicas: 3,
    retry: { limit: 0 },
  });
  const seen = await training.reaches('Completed', 180_000);
  expect(await training.log()).toContain('processes=3 devices=3 sum=6');
  console.log(
    JSON.stringify({
      jax: { applyToCompletedSeconds: secondsBetween(seen.metadata.creationTimestamp, seen.status?.completionTime) },
    }),
  );
});
