import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { mark, mutationsSince } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, OPERATOR_USER, startOperator } from '../support/operator.ts';
import { accuracyOf, finishTrials, searchSpec } from '../support/search.ts';
import { simulated, TrainingUnderTest, trainingSpec } from '../support/training.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

async function setUp(): Promise<TrainingUnderTest> {
  const namespace = await testNamespace(admin, { 'pod-security.kubernetes.io/enforce': 'restricted' });
  await startOperator(admin, namespace);
  return new TrainingUnderTest(admin, namespace, 'search');
}

describe('a search', () => {
  it('of 20 trials finds what is about the best, and rests then', async () => {
    const search = await setUp();
    await search.apply(searchSpec);
    const { status } = await eventually(
      async () => {
        await finishTrials(admin, search.namespace);
        const seen = await search.get();
        expect(seen.status?.phase).toBe('Completed');
        return seen;
      },
      { timeout: 120_000 },
    );
    const { trials = [], best, ...counts } = status?.tuning ?? {};
    expect(counts).toEqual({ running: 0, succeeded: 20, failed: 0 });
    for (const { value, assignments } of trials) expect(value).toBeCloseTo(accuracyOf(assignments), 6);
    expect(best?.value).toBeGreaterThan(0.93);
    expect(best?.assignments['batchSize']).toBe('64');
    await sleep(2_000);
    const resting = mark();
    await sleep(3_000);
    expect((await mutationsSince(admin, resting)).filter(({ user }) => user === OPERATOR_USER)).toEqual([]);
  });

  it('waits with trials that find no place, stops and resumes them, and can not be made another', async () => {
    const search = await setUp();
    const tuning = { ...searchSpec.tuning, parallelTrials: 2 };
    await search.apply({ ...searchSpec, resources: { gpu: 64 }, tuning });
    await search.says('Running', 'False', 'NoSuchGPU', /^Trial 1 does not run/);
    await search.apply({ ...searchSpec, tuning });
    await search.reaches('Running');
    await search.apply({ ...searchSpec, tuning, suspend: true });
    await search.says('Suspended', 'True', 'Suspended');
    const first = new TrainingUnderTest(admin, search.namespace, 'search-1');
    expect((await first.get()).status?.phase).toBe('Suspended');
    await search.apply({ ...searchSpec, tuning });
    await search.reaches('Running');
    await expect(search.apply({ ...searchSpec, tuning: { ...tuning, seed: 1 } })).rejects.toThrow(
      /must stay as they are/,
    );
  });
});

describe('the result of a training', () => {
  it.each([
    ['last', 0.91],
    ['best', 0.93],
  ] as const)('is read from its log where its last words do not tell it: the %s value', async (take, value) => {
    const training = await setUp();
    const brief = { metadata: { annotations: simulated({ 'delay-seconds': '1' }) } };
    const objective = { metric: 'val_accuracy', goal: 'maximize', take } as const;
    await training.apply({ ...trainingSpec, objective, podTemplate: brief });
    const { status } = await training.reaches('Completed');
    expect(status?.objective).toEqual({ metric: 'val_accuracy', value });
  });
});
