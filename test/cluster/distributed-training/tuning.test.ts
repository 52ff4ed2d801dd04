import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { DistributedTrainingSpecInput } from '../../../constructs/index.ts';
import { permissiveKinds } from '../../support/permissive-kinds.ts';
import { trunnion } from '../../support/trunnion.ts';
import { mark } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import type { OperatorUnderTest } from '../support/operator.ts';
import { accuracyOf, finishTrials, searchSpec } from '../support/search.ts';
import { simulated, TrainingUnderTest, trainingSpec } from '../support/training.ts';
import { operatorWrites, rest } from '../support/writes.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

async function setUp(options: OperatorUnderTest = {}): Promise<TrainingUnderTest> {
  const namespace = await testNamespace(admin, { 'pod-security.kubernetes.io/enforce': 'restricted' });
  await startOperator(admin, namespace, options);
  return new TrainingUnderTest(admin, namespace, 'search');
}

/** `trunnion tuning` draws all of its trials, in the terminal and as an image. */
async function expectDrawing({ namespace, name }: TrainingUnderTest): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'trunnion-search-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const svg = join(folder, 'search.svg');
  const where = ['-n', namespace, '--kubeconfig', cluster().kubeconfig];
  const drawn = await trunnion(['tuning', name, ...where, '--svg', svg]);
  expect(drawn).toMatchObject({ code: 0, stdout: expect.stringMatching(/^search: Completed, 20 of 20 trials/) });
  // Each trial over time, and for each of two parameters.
  expect((await readFile(svg, 'utf8')).match(/<title>trial \d+\n/g)).toHaveLength(60);
  const missing = await trunnion(['tuning', 'other', ...where]);
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/there is no DistributedTraining \S+\/other/),
  });
}

describe('a search', () => {
  it('is planned with its first trials', async () => {
    const namespace = await testNamespace(admin);
    const metadata = { name: 'search', namespace };
    const resource = { apiVersion: 'trunnion.dev/v1alpha1', kind: 'DistributedTraining', metadata, spec: searchSpec };
    const planned = await trunnion(['plan', '-f', '-', '--kubeconfig', cluster().kubeconfig], stringify(resource));
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    for (const number of [1, 2, 3, 4]) expect(planned.stdout).toContain(`DistributedTraining search-${number}`);
  });

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
    await expectDrawing(search);
    await rest(admin);
    const resting = mark();
    await sleep(3_000);
    expect(await operatorWrites(admin, resting)).toEqual([]);
  });

  it.each([
    ['one value that is the greatest there is', 8, 'y', [0.5, 0.4, Number.MAX_VALUE, 0.3]],
    ['two numbers to choose from', 2, 'x', [1]],
  ])('ends by itself where there are %s, while others are served', async (_, count, name, values) => {
    const search = await setUp();
    const parameters = {
      x: { type: 'float', min: 1, max: 1.0000000000000002 },
      y: { type: 'float', min: 0.9999999, max: 0.99999999, scale: 'log' },
    } as const;
    const { objective } = searchSpec.tuning;
    const tuning = { maxTrials: 8, parallelTrials: 2, objective, parameters: { x: parameters.x } };
    await search.apply({
      ...searchSpec,
      tuning: name === 'x' ? tuning : { ...tuning, parameters: { y: parameters.y } },
    });
    const { status } = await eventually(
      async () => {
        await finishTrials(admin, search.namespace, (_assignments, trial) => values[(trial - 1) % values.length] ?? 0);
        const seen = await search.get();
        expect(seen.status?.phase, JSON.stringify(seen.status)).toBe('Completed');
        return seen;
      },
      { timeout: 100_000 },
    );
    const reported = status?.tuning?.trials.map(({ assignments }) => assignments[name]);
    expect(new Set(reported).size).toBe(count);
    expect(reported).toHaveLength(count);
    const other = new TrainingUnderTest(admin, search.namespace, 'other');
    await other.apply(trainingSpec);
    await other.reaches('Running');
  });

  it('waits with trials that find no place, stops and resumes them, and cannot be made another', async () => {
    const search = await setUp();
    const tuning = { ...searchSpec.tuning, parallelTrials: 2 };
    await search.apply({ ...searchSpec, resources: { gpu: 64 }, tuning });
    await search.hasCondition('Running', 'False', 'NoSuchGPU', /^Trial 1 does not run/);
    await search.apply({ ...searchSpec, tuning });
    await search.reaches('Running');
    await search.apply({ ...searchSpec, tuning, suspend: true });
    await search.hasCondition('Suspended', 'True', 'Suspended');
    const first = new TrainingUnderTest(admin, search.namespace, 'search-1');
    expect((await first.get()).status?.phase).toBe('Suspended');
    await search.apply({ ...searchSpec, tuning });
    await search.reaches('Running');
    await expect(search.apply({ ...searchSpec, tuning: { ...tuning, seed: 1 } })).rejects.toThrow(
      /must stay as they are/,
    );
  });

  it('that is over continues where maxTrials is raised, and ends with all of its trials', async () => {
    const search = await setUp();
    const tuning = { ...searchSpec.tuning, maxTrials: 2, parallelTrials: 2 };
    const ends = (count: number) =>
      eventually(
        async () => {
          await finishTrials(admin, search.namespace);
          const seen = await search.get();
          expect(seen.status).toMatchObject({
            phase: 'Completed',
            observedGeneration: seen.metadata.generation,
            tuning: { running: 0, succeeded: count },
          });
          return seen;
        },
        { timeout: 60_000 },
      );
    await search.apply({ ...searchSpec, tuning });
    const first = await ends(2);
    await search.apply({ ...searchSpec, tuning: { ...tuning, maxTrials: 4 } });
    const going = await search.hasCondition('Complete', 'False', 'Unfinished');
    expect(going.status).not.toHaveProperty('completionTime');
    const last = await ends(4);
    expect(last.status?.tuning?.trials.slice(0, 2)).toEqual(first.status?.tuning?.trials);
    expect(last.status?.startTime).toBe(first.status?.startTime);
  });

  it('takes from its trials what is taken from it, to the last annotation', async () => {
    const search = await setUp({ kinds: permissiveKinds });
    const trial = new TrainingUnderTest(admin, search.namespace, 'search-1');
    const expectAnnotations = (annotations: object) =>
      eventually(async () => {
        const { spec } = (await trial.get()) as { readonly spec?: DistributedTrainingSpecInput };
        expect(spec?.podTemplate?.metadata?.annotations ?? {}).toEqual(annotations);
      });
    await search.apply({ ...searchSpec, podTemplate: { metadata: { annotations: { team: 'a' } } } });
    await expectAnnotations({ team: 'a' });
    await admin.patch(search.type, search, { spec: { podTemplate: { metadata: { annotations: { team: null } } } } });
    await expectAnnotations({});
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
    expect(status?.objective).toEqual({ metric: 'val_accuracy', value, line: expect.stringContaining('val_accuracy') });
  });
});
