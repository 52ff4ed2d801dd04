import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DistributedTrainingSpecInput } from '../../constructs/index.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { NODE_NAME } from '../../cluster/real-node/layout.ts';
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

const spec = {
  ...runs('train.py', TORCHRUN),
  framework: 'pytorch',
  image: TRAINER.name,
  replicas: 3,
  elastic: { minReplicas: 2, maxReplicas: 3 },
  checkpoint: { uri: 'pvc://checkpoints/elastic', graceSeconds: 5 },
  // No failure is to be tried again: that a pod goes is none.
  retry: { limit: 0 },
  hyperparameters: { STEPS: '120', STEP_SECONDS: '0.5' },
} satisfies DistributedTrainingSpecInput;

let testbed: Testbed;

beforeAll(async () => {
  testbed = await startTrainingTestbed([await pythonImage(TRAINER)]);
  await checkpointVolume(testbed.client);
});
afterAll(() => testbed?.stop());

/** Whether new pods find a place. */
const cordon = (unschedulable: boolean) =>
  testbed.client.patch(TYPES.node, { name: NODE_NAME }, { spec: { unschedulable } });

test('an elastic training continues with two of three pods, and with three again, all in one attempt', async () => {
  const training = new RealTraining(testbed, 'elastic');
  await training.apply(spec);
  await training.prints('step 5 of 120, 3 ranks');

  await cordon(true);
  const pod = (await training.pods())[2];
  await testbed.client.delete(TYPES.pod, pod?.metadata ?? { name: '' });
  const removed = performance.now();
  await training.prints('120, 2 ranks');
  const shrunk = performance.now();
  await training.shows(({ status }) =>
    expect(status).toMatchObject({
      phase: 'Running',
      readyReplicas: 2,
      lastDisruption: { rank: 2, reason: 'PodDeleted' },
    }),
  );

  await cordon(false);
  const back = performance.now();
  const log = await training.printsAfter('120, 2 ranks', '120, 3 ranks');
  const grown = performance.now();
  expect(log).toMatch(/rank 0 of 2 begins with step \d+ from attempt-00001/);

  const seen = await training.reaches('Completed', 120_000);
  expect(seen.status).toMatchObject({ attempt: 1, failures: 0 });
  expect(seen.status?.attempts ?? []).toEqual([]);
  const seconds = (from: number, to: number) => Math.round((to - from) / 1000);
  console.log(
    JSON.stringify({
      elastic: {
        deletedToTwoRanksSeconds: seconds(removed, shrunk),
        backToThreeRanksSeconds: seconds(back, grown),
        applyToCompletedSeconds: secondsBetween(seen.metadata.creationTimestamp, seen.status?.completionTime),
      },
    }),
  );
});
