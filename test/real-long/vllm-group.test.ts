import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../constructs/index.ts';
import type { KubeClient, KubeObject } from '../../operator/kube/index.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import { isReady, podsOf } from '../lws/support/groups.ts';
import { pythonImage } from '../real/images/python.ts';
import { VLLM } from '../real/images/vllm.ts';
import type { Report } from '../real/load/report.ts';
import { startLoad } from '../real/support/load.ts';
import { restrictedNamespace } from '../real/support/model.ts';
import { installOperator, loadOperatorImage } from '../real/support/operator.ts';
import { killContainer, processesOf } from '../real/support/processes.ts';
import { type Moment, storyOf } from '../real/support/story.ts';
import { startTestbed, type Testbed } from '../real/support/testbed.ts';
import { startLwsOnNode } from './support/lws.ts';
import { askPod, claimWeights, continuationOf, phasesOf, runPython, vllmSpec } from './support/vllm.ts';

const NAMESPACE = 'models';
const PROMPT = 'Everyone is permitted to';
const LEADER = 'tiny-server-0';
const WORKER = 'tiny-server-0-1';
/** Two vLLM that wait for each other start within a minute on two idle cores. */
const START = 240_000;

/** One model on two pods: each has half of every layer. */
const spec = {
  ...vllmSpec,
  nodes: 2,
  parallelism: { tensor: 2 },
  engine: {
    ...vllmSpec.engine,
    // A vocabulary in parts is compiled at the first request, and the image has no compiler for C++ (vLLM 0.32.0).
    env: [...vllmSpec.engine.env, { name: 'TORCHDYNAMO_DISABLE', value: '1' }],
  },
} satisfies ModelServingSpecInput;

let testbed: Testbed;
let client: KubeClient;
let model: ServingUnderTest;
/** How the model continues the prompt: the same after each start, since its weights are. */
let continuation = '';

const say = (what: object): void => console.log(JSON.stringify(what));

const members = (): Promise<readonly KubeObject[]> => podsOf(client, { namespace: NAMESPACE, name: 'tiny-server' });
const uids = async () => (await members()).map(({ metadata }) => metadata.uid);
const at = (name: string) => ({ namespace: NAMESPACE, name });

/** Asks the Service for a while, from a pod. */
async function ask(name: string): Promise<Report> {
  const host = `tiny.${NAMESPACE}.svc.cluster.local:8000`;
  const report = await (await startLoad(client, { ...at(name), host, workers: 1, tokens: 20, seconds: 5 }))();
  expect(report).toMatchObject({ failed: 0, failures: {} });
  expect(report.requests).toBeGreaterThan(0);
  return report;
}

/** Ends something of the group, and waits until all of it is new and answers as before. */
async function startsAgain(title: string, end: () => Promise<void>, restarts: number): Promise<readonly Moment[]> {
  const before = await uids();
  const moments = await storyOf(title, model, async () => {
    await end();
    await model.shows(({ status }) => expect(status?.groups).toMatchObject([{ restarts }]), START);
    await model.reaches('Running', START);
  });
  say({ title, groups: (await model.get()).status?.groups, load: await ask(`after-${restarts}`) });
  const after = await members();
  expect(after.map(({ metadata }) => metadata.name)).toEqual([LEADER, WORKER]);
  expect(after.filter(({ metadata }) => before.includes(metadata.uid))).toEqual([]);
  expect(await continuationOf(client, at(LEADER), PROMPT)).toBe(continuation);
  return moments;
}

/** All that a status said of a group that starts again. */
const reasonsIn = (moments: readonly Moment[]): readonly string[] => [
  ...new Set(moments.filter(({ reason }) => reason === 'GroupRestarting').map(({ message }) => message)),
];

beforeAll(async () => {
  const image = await pythonImage(VLLM);
  testbed = await startTestbed();
  client = testbed.client;
  model = new ServingUnderTest(client, NAMESPACE, 'tiny');
  await testbed.cluster.loadImage(image);
  await startLwsOnNode(testbed);
  await loadOperatorImage(testbed);
  await installOperator(testbed);
  await restrictedNamespace(client, NAMESPACE);
  await claimWeights(client, NAMESPACE);
  await runPython(client, NAMESPACE, 'random-model.py', ['/weights/first']);
});
afterAll(() => testbed.stop());

test('two pods of vLLM serve one model together, under the level `restricted` of Pod Security, to those who ask its Service', async () => {
  const began = performance.now();
  await model.apply(spec);
  await model.reaches('Running', START);
  const pods = await members();
  say({ running: (performance.now() - began) / 1_000, phases: pods.map(phasesOf), load: await ask('first') });
  expect(pods.map(({ metadata }) => metadata.name)).toEqual([LEADER, WORKER]);
  expect(pods.every(isReady)).toBe(true);
  expect((await model.get()).status?.groups).toMatchObject([{ name: LEADER, pods: 2, readyPods: 2, restarts: 0 }]);
  const answer = await askPod(client, at(LEADER), '/v1/completions', { model: 'tiny', prompt: PROMPT, max_tokens: 1 });
  expect(JSON.parse(answer)).toMatchObject({ system_fingerprint: expect.stringContaining('-tp2-') });
  continuation = await continuationOf(client, at(LEADER), PROMPT);
});

test('a pod of the group that is killed takes the other one with it, and the status says which rank ended, where and how', async () => {
  const moments = await startsAgain('a killed worker', () => killContainer(client, at(WORKER), 'server'), 1);
  expect(reasonsIn(moments)).toEqual([expect.stringContaining('rank 1 on node real-0 ended with exit code 137')]);
  const { status } = await model.get();
  expect(status?.groups).toMatchObject([
    { lastFailure: { pod: WORKER, rank: 1, node: 'real-0', exitCode: 137, reason: 'Error' } },
  ]);
});

test('a rank that is killed within a pod ends that pod with exit code 0, which the status counts as a failure, too', async () => {
  const killRank = async () => {
    const all = await processesOf(client, at(WORKER), 'server');
    const named = all.map((id) => ({ id, name: readFileSync(`/proc/${id}/comm`, 'utf8').trim() }));
    const rank = named.find(({ name }) => name.startsWith('VLLM::Worker'));
    if (rank === undefined) throw new Error('the pod has no rank');
    process.kill(rank.id, 'SIGKILL');
  };
  const moments = await startsAgain('a killed rank', killRank, 2);
  expect(reasonsIn(moments)).toEqual([expect.stringContaining('rank 1 on node real-0 ended with exit code 0')]);
  expect((await model.get()).status?.groups).toMatchObject([{ lastFailure: { pod: WORKER, rank: 1, exitCode: 0 } }]);
});

test('a leader that is killed takes its worker with it, which waits for it without end', async () => {
  const moments = await startsAgain('a killed leader', () => killContainer(client, at(LEADER), 'server'), 3);
  expect(reasonsIn(moments)).toEqual([expect.stringContaining('rank 0 on node real-0 ended with exit code 137')]);
  expect((await model.get()).status?.groups).toMatchObject([{ lastFailure: { pod: LEADER, rank: 0, exitCode: 137 } }]);
});
