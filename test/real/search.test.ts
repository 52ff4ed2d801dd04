import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DistributedTrainingSpecInput } from '../../constructs/index.ts';
import { accuracyOf } from '../cluster/support/search.ts';
import { debianImage, LIGHT_WITH_PYTHON } from './images/debian.ts';
import { RealTraining, runs, secondsBetween, startTrainingTestbed } from './support/trainings.ts';
import type { Testbed } from './support/testbed.ts';

/** After four evenly spread trials, the Bayesian search chooses by what they have shown. */
const TRIALS = 6;

const spec = {
  ...runs('objective.py'),
  framework: 'pytorch',
  image: LIGHT_WITH_PYTHON.name,
  retry: { limit: 0 },
  tuning: {
    algorithm: 'bayesian',
    maxTrials: TRIALS,
    parallelTrials: 2,
    objective: { metric: 'val_accuracy', goal: 'maximize' },
    parameters: {
      learningRate: { type: 'float', min: 0.0001, max: 0.1, scale: 'log' },
      batchSize: { type: 'int', values: [16, 32, 64, 128] },
    },
  },
} satisfies DistributedTrainingSpecInput;

let testbed: Testbed;

beforeAll(async () => {
  testbed = await startTrainingTestbed([await debianImage(LIGHT_WITH_PYTHON)]);
});
afterAll(() => testbed?.stop());

test('a Bayesian search runs all its trials, reads their results from their logs, and tells the best', async () => {
  const search = new RealTraining(testbed, 'search');
  await search.apply(spec);
  const { status, metadata } = await search.reaches('Completed', 240_000);
  const { best, trials = [], succeeded, failed } = status?.tuning ?? {};
  expect({ succeeded, failed, trials: trials.length }).toEqual({ succeeded: TRIALS, failed: 0, trials: TRIALS });
  for (const { assignments, value } of trials) expect(value).toBeCloseTo(accuracyOf(assignments), 3);
  const values = trials.map(({ value }) => value ?? 0);
  expect(best).toMatchObject({ value: Math.max(...values) });
  expect(best?.assignments).toEqual(trials.find(({ number }) => number === best?.trial)?.assignments);
  console.log(
    JSON.stringify({
      search: {
        trials: values,
        best: best?.assignments,
        applyToCompletedSeconds: secondsBetween(metadata.creationTimestamp, status?.completionTime),
      },
    }),
  );
});
