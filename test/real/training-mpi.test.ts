import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DistributedTrainingSpecInput } from '../../constructs/index.ts';
import { debianImage, MPI } from './images/debian.ts';
import { RealTraining, runs, secondsBetween, startTrainingTestbed } from './support/trainings.ts';
import type { Testbed } from './support/testbed.ts';

const spec = {
  ...runs('ring.py', ['mpirun', '-np', '4', 'python3']),
  framework: 'mpi',
  image: MPI.name,
  replicas: 2,
  procsPerNode: 2,
  retry: { limit: 0 },
} satisfies DistributedTrainingSpecInput;

let testbed: Testbed;

beforeAll(async () => {
  testbed = await startTrainingTestbed([await debianImage(MPI)]);
});
afterAll(() => testbed?.stop());

test('mpirun reaches the workers by ssh as user 1000, and its processes pass messages from pod to pod', async () => {
  const training = new RealTraining(testbed, 'ring');
  await training.apply(spec);
  const { status, metadata } = await training.reaches('Completed', 120_000);
  expect(await training.log(0, 'launcher')).toContain(
    "sum=6 left=[3, 0, 1, 2] hosts=['ring-worker-1-0', 'ring-worker-1-1'] users=[1000]",
  );
  const seconds = secondsBetween(metadata.creationTimestamp, status?.completionTime);
  console.log(JSON.stringify({ mpi: { processes: 4, pods: 3, applyToCompletedSeconds: seconds } }));
});

test('a user that the image does not know is told, and nobody waits for it', async () => {
  const training = new RealTraining(testbed, 'stranger');
  await training.apply({ ...spec, security: { runAsUser: 4000 } });
  const { status } = await training.reaches('Failed', 120_000);
  expect(status?.attempts).toMatchObject([
    {
      number: 1,
      reason: 'InitContainerFailed',
      role: 'launcher',
      rank: 0,
      node: 'real-0',
      exitCode: 1,
      message: expect.stringMatching(/No user exists for uid 4000\.? .*RUN useradd --create-home --uid 4000/),
    },
  ]);
});
