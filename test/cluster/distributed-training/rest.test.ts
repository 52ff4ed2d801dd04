import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { mark } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { simulated, TrainingUnderTest, trainingSpec } from '../support/training.ts';
import { operatorWrites, rest } from '../support/writes.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const brief = { metadata: { annotations: simulated({ 'delay-seconds': '1' }) } };

describe('what the operator writes for trainings', () => {
  it('is nothing at rest, and nothing after a restart, whatever phase they are in', async () => {
    const namespace = await testNamespace(admin);
    const operator = await startOperator(admin, namespace);
    const cases = [
      ['running', trainingSpec, 'Running'],
      ['elastic', { ...trainingSpec, elastic: { minReplicas: 1, maxReplicas: 4 } }, 'Running'],
      ['roles', { ...trainingSpec, framework: 'tensorflow' }, 'Running'],
      ['waiting', { ...trainingSpec, resources: { gpu: 64 } }, 'Pending'],
      ['suspended', { ...trainingSpec, suspend: true }, 'Suspended'],
      ['done', { ...trainingSpec, podTemplate: brief }, 'Completed'],
      [
        'failed',
        { ...trainingSpec, retry: { limit: 0 }, podTemplate: { metadata: { annotations: simulated({ fail: '1' }) } } },
        'Failed',
      ],
    ] as const;
    for (const [name, spec] of cases) await new TrainingUnderTest(admin, namespace, name).apply(spec);
    for (const [name, , phase] of cases) await new TrainingUnderTest(admin, namespace, name).reaches(phase);
    await rest(admin);
    const resting = mark();
    await sleep(30_000);
    expect(await operatorWrites(admin, resting)).toEqual([]);
    await operator.stop();
    const restarted = mark();
    await startOperator(admin, namespace);
    await sleep(5_000);
    expect(await operatorWrites(admin, restarted)).toEqual([]);
  });

  it('for one training is its children, its status transitions and its events', async () => {
    const namespace = await testNamespace(admin);
    await startOperator(admin, namespace);
    const training = new TrainingUnderTest(admin, namespace);
    const from = mark();
    await training.apply({ ...trainingSpec, replicas: 16 });
    await training.reaches('Running');
    await rest(admin);
    const writes = await operatorWrites(admin, from);
    const children = writes.filter(({ resource }) => !/distributedtrainings|events/.test(resource));
    expect(children.map(({ resource }) => resource).toSorted()).toEqual([
      'jobs',
      'networkpolicies',
      'poddisruptionbudgets',
      'serviceaccounts',
      'services',
    ]);
    // However many ranks there are: the first look, those that start, all of them.
    const statuses = writes.filter(({ resource }) => resource === 'distributedtrainings/status');
    expect(statuses.length).toBeLessThanOrEqual(6);
    expect(writes.filter(({ resource }) => resource === 'distributedtrainings')).toEqual([]);
    expect(writes.filter(({ resource }) => resource === 'events').length).toBeLessThanOrEqual(2);
  });
});
