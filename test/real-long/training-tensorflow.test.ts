import { afterAll, beforeAll, expect, test } from 'vitest';
import { pythonImage } from '../real/images/python.ts';
import { TENSORFLOW } from '../real/images/trainer.ts';
import type { Testbed } from '../real/support/testbed.ts';
import { RealTraining, runs, secondsBetween, startTrainingTestbed } from '../real/support/trainings.ts';

let testbed: Testbed;

beforeAll(async () => {
  testbed = await startTrainingTestbed([await pythonImage(TENSORFLOW)]);
});
afterAll(() => testbed?.stop());

test('the chief and two workers of TensorFlow find each other by TF_CONFIG, and compute together', async () => {
  const training = new RealTraining(testbed, 'adding');
  await training.apply({
    ...runs('add.py'),
    framework: 'tensorflow',
    image: TENSORFLOW.name,
    replicas: 2,
    retry: { limit: 0 },
  });
  const { status, metadata } = await training.reaches('Completed', 240_000);
  expect(await training.log()).toContain('tasks=3 sum=3');
  const seconds = secondsBetween(metadata.creationTimestamp, status?.completionTime);
  console.log(JSON.stringify({ tensorflow: { applyToCompletedSeconds: seconds } }));
});
