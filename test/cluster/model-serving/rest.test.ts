import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { mark, type Mutation } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';
import { operatorWrites, rest } from '../support/writes.ts';

const admin = adminClient();
const TWO_MINUTES = 120_000;

beforeAll(() => installTrunnion(admin));

const perWord = (mutations: readonly Mutation[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(mutations, ({ verb, resource }) => `${verb} ${resource}`)].map(([word, all]) => [word, all.length]),
  );

describe('what the operator writes', () => {
  it('is nothing at rest in two minutes, and nothing after a restart with everything converged', async () => {
    const namespace = await testNamespace(admin);
    const operator = await startOperator(admin, namespace);
    const servings = [
      [new ServingUnderTest(admin, namespace, 'shared'), servingSpec],
      [new ServingUnderTest(admin, namespace, 'own'), { ...servingSpec, storage: { size: '10Gi' } }],
      [
        new ServingUnderTest(admin, namespace, 'scaled'),
        { ...servingSpec, replicas: 2, expose: { ingress: { host: 'a.example.com' } } },
      ],
      [new ServingUnderTest(admin, namespace, 'retired'), { ...servingSpec, retired: true }],
    ] as const;
    for (const [serving, spec] of servings) await serving.apply(spec);
    for (const [serving] of servings) await serving.reaches(serving.name === 'retired' ? 'Retired' : 'Running');
    await rest(admin);
    const resting = mark();
    await sleep(TWO_MINUTES);
    expect(await operatorWrites(admin, resting)).toEqual([]);
    await operator.stop();
    const restarted = mark();
    await startOperator(admin, namespace);
    await sleep(5_000);
    expect(await operatorWrites(admin, restarted)).toEqual([]);
  }, 240_000);

  it('for one resource is its children, its finalizer, its status transitions and its events', async () => {
    const namespace = await testNamespace(admin);
    await startOperator(admin, namespace);
    const serving = new ServingUnderTest(admin, namespace);
    const from = mark();
    await serving.apply(servingSpec);
    await serving.reaches('Running');
    await rest(admin);
    const writes = await operatorWrites(admin, from);
    const words = perWord(writes);
    // Downloading, progress of the download, Deploying, Running; each of the phases with one event.
    expect(words['patch modelservings/status']).toBeLessThanOrEqual(5);
    expect(words['create events'] ?? 0).toBeLessThanOrEqual(4);
    expect(words['patch modelservings']).toBe(1);
    const children = writes.filter(({ resource }) => !/modelservings|events/.test(resource));
    expect(new Set(children.map(({ resource, name }) => `${resource}/${name}`)).size).toBe(children.length);
    expect(children.map(({ code }) => code).every((code) => code === 201)).toBe(true);
  });
});
