import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../constructs/index.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import { debianImage, LIGHT_WITH_PYTHON } from './images/debian.ts';
import { order, serverOf, type ServerPod } from './support/engines.ts';
import { fillVolume, lightModel, restrictedNamespace } from './support/model.ts';
import { installOperator, loadOperatorImage } from './support/operator.ts';
import { killContainer } from './support/processes.ts';
import { type Moment, storyOf } from './support/story.ts';
import { startTestbed, type Testbed } from './support/testbed.ts';

const NAMESPACE = 'models';
/** A busy machine is slow to start a pod; a back-off of the kubelet lasts 40 s and less here. */
const PATIENCE = 120_000;

/** Probes that find out within seconds; those that are rendered take minutes, for models that load for long. */
const quick = { periodSeconds: 1, timeoutSeconds: 1, failureThreshold: 3 };
const LIVENESS_SECONDS = 12;
const server = {
  name: 'server',
  startupProbe: { ...quick, failureThreshold: 60 },
  readinessProbe: quick,
  livenessProbe: { ...quick, failureThreshold: LIVENESS_SECONDS },
};

/** A server that takes orders, and some seconds to start, in which its status can be read. A drain may last an hour. */
const served = (env: Readonly<Record<string, string>> = {}): ModelServingSpecInput => ({
  ...lightModel,
  drain: { timeoutSeconds: 3600 },
  engine: {
    ...lightModel.engine,
    env: Object.entries({ LIGHT_START_SECONDS: '3', LIGHT_CONTROL_PATH: '/hidden', ...env }).map(([name, value]) => ({
      name,
      value,
    })),
  },
  podTemplate: { spec: { containers: [server] } },
});

let testbed: Testbed;
let client: KubeClient;

beforeAll(async () => {
  testbed = await startTestbed();
  client = testbed.client;
  await testbed.cluster.loadImage(await debianImage(LIGHT_WITH_PYTHON));
  await loadOperatorImage(testbed);
  await installOperator(testbed);
  await restrictedNamespace(client, NAMESPACE);
  await fillVolume(client, NAMESPACE);
  for (const name of ['killed', 'greedy', 'hanging']) await modelNamed(name).apply(served());
  await modelNamed('pair').apply({ ...served(), replicas: 2 });
});
afterAll(() => testbed.stop());

const modelNamed = (name: string): ServingUnderTest => new ServingUnderTest(client, NAMESPACE, name);

const podOf = (name: string): Promise<ServerPod> => serverOf(client, NAMESPACE, name);
const kill = async (name: string): Promise<void> => killContainer(client, (await podOf(name)).metadata, 'server');
const tell = async (name: string, what: string): Promise<void> => order(client, await podOf(name), what);

/** Until its status has fewer that are ready, and is well again. */
async function goesAndComesBack(model: ServingUnderTest, replicas = 1): Promise<void> {
  await model.shows(({ status }) => expect(status?.readyReplicas).toBe(replicas - 1), PATIENCE);
  await model.shows(
    ({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: replicas }),
    PATIENCE,
  );
}

/** What was said while nothing answered. */
const down = (moments: readonly Moment[]): readonly Moment[] => moments.filter(({ ready }) => ready === 0);
const reasons = (moments: readonly Moment[]): readonly unknown[] => [
  ...new Set(down(moments).map(({ reason }) => reason)),
];
const phases = (moments: readonly Moment[]): readonly unknown[] => [...new Set(moments.map(({ phase }) => phase))];

test('kill -9 of a server is told as a restart that heals, and the next one within minutes as a loop', async () => {
  const model = modelNamed('killed');
  await model.reaches('Running', PATIENCE);
  const once = await storyOf('kill -9', model, async () => {
    await kill('killed');
    await goesAndComesBack(model);
  });
  expect(phases(once)).toEqual(['Running', 'Deploying']);
  expect(down(once)[0]).toMatchObject({ reason: 'Restarting' });
  expect(down(once)[0]?.message).toMatch(
    /ended with exit code 137 \(SIGKILL\) after it had been ready, and is started again/,
  );

  const twice = await storyOf('exit code 3, for the second time', model, async () => {
    await tell('killed', 'exit/3');
    await goesAndComesBack(model);
  });
  expect(down(twice)[0]).toMatchObject({ phase: 'Failed', reason: 'CrashLoop' });
  expect(down(twice)[0]?.message).toMatch(
    /ends with exit code 3, again and again: .*light engine: it ends with exit code 3, as it was/,
  );
});

test('one of two servers that is killed leaves the service Running, with 1 of 2 ready', async () => {
  const model = modelNamed('pair');
  await model.reaches('Running', PATIENCE);
  const story = await storyOf('one of two', model, async () => {
    await kill('pair');
    await goesAndComesBack(model, 2);
  });
  expect(phases(story)).toEqual(['Running']);
  expect(story.map(({ ready }) => ready)).toContain(1);
  const degraded = story.find(({ ready }) => ready === 1);
  expect(degraded?.message).toMatch(/^1 of 2 replicas are ready\. .*137 \(SIGKILL\)/);
});

test('a server that needs more memory than it may have is told as OOM-killed, and heals', async () => {
  const model = modelNamed('greedy');
  await model.reaches('Running', PATIENCE);
  const story = await storyOf('OOM', model, async () => {
    await tell('greedy', 'allocate/512');
    await goesAndComesBack(model);
  });
  expect(phases(story)).toEqual(['Running', 'Deploying']);
  expect(down(story)[0]).toMatchObject({ reason: 'OutOfMemory' });
  expect(down(story)[0]?.message).toMatch(
    /was OOM-killed \(exit code 137\)\. It is started again\. Raise resources\.memory/,
  );
});

test('a server that hangs is told not to answer, and is started again within a minute, though a drain may last an hour', async () => {
  const model = modelNamed('hanging');
  await model.reaches('Running', PATIENCE);
  const story = await storyOf('hang', model, async () => {
    await tell('hanging', 'hang');
    await goesAndComesBack(model);
  });
  expect(phases(story)).toEqual(['Running', 'Deploying']);
  expect(reasons(story).slice(0, 2)).toEqual(['NotAnswering', 'Restarting']);
  const [silent, ended] = ['NotAnswering', 'Restarting'].map((one) => story.find(({ reason }) => reason === one));
  expect(silent?.message).toMatch(/^Container server runs, and has failed its readiness probe since 20/);
  expect(ended?.message).toMatch(
    /137 \(SIGKILL\) after it had been ready and had then failed its readiness probe for \d+ s, .*it hangs, as it was/,
  );
  // Silent for 3 s, then until the liveness probe gives it up, then 30 s of grace and 2 that a container always gets.
  expect((ended?.at ?? 0) - (silent?.at ?? 0)).toBeLessThan(LIVENESS_SECONDS + 30 + 18);
});

test.each([
  ['with exit code 3', 'looping', '3', /^Container server ends with exit code 3: /],
  [
    'with exit code 0, of which no kubelet keeps the last words',
    'quiet',
    '0',
    // Of each run again, the operator asks for the log; what it says until there is an answer has no words.
    /^Container server ends with exit code 0[:.] /,
  ],
])(
  'a server that never starts, %s, is Failed at all times, with its last words, until it is corrected',
  async (_how, name, code, says) => {
    const model = modelNamed(name);
    await model.apply(served({ LIGHT_START_SECONDS: '1', LIGHT_EXIT_CODE: code }));
    await model.reaches('Failed', PATIENCE);
    await model.shows(
      ({ status }) => expect(JSON.stringify(status)).toContain(`it ends with exit code ${code}, as it was`),
      PATIENCE,
    );
    const story = await storyOf(`never starts, ${code}`, model, () =>
      eventually(
        async () => expect((await podOf(name)).status.containerStatuses?.[0]?.restartCount).toBeGreaterThan(2),
        {
          timeout: PATIENCE,
        },
      ),
    );
    expect(phases(story)).toEqual(['Failed']);
    expect(reasons(story)).toEqual(['CrashLoop']);
    for (const { message } of story) expect(message).toMatch(says);
    await model.apply(served());
    await model.reaches('Running', PATIENCE);
  },
);
