import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { AgentUnderTest, agentSpec } from '../support/agent.ts';
import { mark } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { COLLECTED, eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';
import { TrainingUnderTest, trainingSpec } from '../support/training.ts';
import { operatorWrites, rest } from '../support/writes.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** A resource under a name, and how it is doing. */
interface Made {
  readonly kind: string;
  readonly name: string;
  apply(): Promise<unknown>;
  runs(): Promise<unknown>;
  delete(): Promise<unknown>;
  /** Waits until its own condition says that a name is taken, in these words. */
  isReported(words: RegExp): Promise<unknown>;
}

type Make = (namespace: string, name: string) => Made;

const made = <Spec>(
  kind: string,
  under: {
    readonly name: string;
    apply(spec: Spec): Promise<unknown>;
    reaches(phase: string): Promise<unknown>;
    delete(): Promise<unknown>;
    hasCondition(type: string, status: string, reason: string, message?: RegExp): Promise<unknown>;
  },
  spec: Spec,
  condition = 'Ready',
): Made => ({
  kind,
  name: under.name,
  apply: () => under.apply(spec),
  runs: () => under.reaches('Running'),
  delete: () => under.delete(),
  isReported: (words) => under.hasCondition(condition, 'False', 'NameTaken', words),
});

const byJob: Make = (namespace, name) =>
  made('ModelServing', new ServingUnderTest(admin, namespace, name), servingSpec);
const byServer: Make = (namespace, name) =>
  made('ModelServing', new ServingUnderTest(admin, namespace, name), { ...servingSpec, storage: { size: '10Gi' } });
const agent: Make = (namespace, name) => made('AgentService', new AgentUnderTest(admin, namespace, name), agentSpec);
const training: Make = (namespace, name) =>
  made('DistributedTraining', new TrainingUnderTest(admin, namespace, name), trainingSpec, 'Running');

/** What the operator has changed since; to look whether a name is free by now changes nothing. */
const changes = async (from: number) => (await operatorWrites(admin, from)).filter(({ code }) => code < 300);

/** What of each NetworkPolicy, Deployment and Job must not change: which it is, whose, and what it says. */
async function objectsIn(namespace: string): Promise<Readonly<Record<string, unknown>>> {
  const lists = await Promise.all(
    [TYPES.networkPolicy, TYPES.deployment, TYPES.job].map((type) => admin.list(type, { namespace })),
  );
  return Object.fromEntries(
    lists
      .flatMap(({ items }) => items)
      .map(({ metadata, spec }) => [metadata.uid, { owners: metadata.ownerReferences, spec }]),
  );
}

it.each([
  ['a serving whose Job fetches, x, is not harmed by a serving x-fetcher', byJob, 'x', byJob, 'x-fetcher', 'x-fetcher'],
  ['a serving x-fetcher is not harmed by x, whose Job fetches', byJob, 'x-fetcher', byJob, 'x', 'x-fetcher'],
  [
    'a serving that fetches by itself, x, is not harmed by an agent x-fetch',
    byServer,
    'x',
    agent,
    'x-fetch',
    'x-fetch',
  ],
  ['an agent x-fetch is not harmed by x, which fetches by itself', agent, 'x-fetch', byServer, 'x', 'x-fetch'],
  [
    'a serving whose Job fetches, x, is not harmed by a training x-fetcher',
    byJob,
    'x',
    training,
    'x-fetcher',
    'x-fetcher',
  ],
] as const)(
  '%s, which waits for the name and says whose it is',
  async (_, makeFirst, firstName, makeSecond, secondName, policy) => {
    const namespace = await testNamespace(admin);
    await startOperator(admin, namespace);
    const [first, second] = [makeFirst(namespace, firstName), makeSecond(namespace, secondName)];
    await first.apply();
    await first.runs();
    await rest(admin);
    const before = await objectsIn(namespace);
    const from = mark();
    await second.apply();
    const reported = new RegExp(
      `NetworkPolicy ${policy} exists and belongs to ${first.kind} ${first.name}\\. .*give this resource another name`,
    );
    await second.isReported(reported);
    await first.runs();
    expect(await objectsIn(namespace)).toMatchObject(before);
    const pods = await admin.list(TYPES.pod, { namespace, labelSelector: `app.kubernetes.io/instance=${secondName}` });
    expect(pods.items).toEqual([]);
    expect((await changes(from)).filter(({ verb }) => verb === 'delete')).toEqual([]);
    await eventually(async () => {
      const resting = mark();
      await sleep(5_000);
      expect(await changes(resting)).toEqual([]);
    });

    await first.delete();
    await eventually(async () => second.runs(), { ...COLLECTED, timeout: 90_000 });
  },
  180_000,
);
