import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentServiceSpecInput } from '../../constructs/index.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import type { ObjectBody } from '../../operator/kube/client/options.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../operator/kube/client/types.ts';
import { AgentUnderTest } from '../cluster/support/agent.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import type { Answer } from './agent/answer.ts';
import { debianImage, LIGHT_WITH_PYTHON } from './images/debian.ts';
import { AGENT, programsImage } from './images/programs.ts';
import type { Reached } from './probe/reach.ts';
import { fillVolume, lightModel, restrictedNamespace } from './support/model.ts';
import { installOperator, loadOperatorImage } from './support/operator.ts';
import { startListener, startProbe } from './support/probe.ts';
import { runInNetworkOf } from './support/processes.ts';
import { startTestbed, type Testbed } from './support/testbed.ts';

const NAMESPACE = 'agents';
const QUESTION = JSON.stringify({ question: 'Is ticket 7 open?' });

/** Where clouds serve the credentials of a node. */
const METADATA = '169.254.169.254';

const bare = {
  image: AGENT.name,
  model: 'gpt-4o',
  resources: { cpu: '50m', memory: '128Mi' },
  replicas: 1,
  healthPath: '/healthz',
  drain: { timeoutSeconds: 30 },
} satisfies AgentServiceSpecInput;
const { model: _provider, ...own } = bare;

/** An agent of a served model, with one MCP server and a collector of traces in other namespaces. */
const support = {
  ...own,
  modelRef: { name: 'tiny' },
  temperature: 0.5,
  maxTokens: 12,
  tools: ['find_ticket'],
  mcpServers: [{ name: 'tickets', url: 'http://tickets.tools.svc:8080/mcp' }],
  credentials: [{ env: 'TICKETS_TOKEN', secretName: 'tickets', key: 'token' }],
  egress: [{ namespace: 'others', podLabels: { app: 'collector' }, ports: [8080] }],
} satisfies AgentServiceSpecInput;

const declared = ['tiny.agents.svc.cluster.local:8000', 'tickets.tools.svc:8080', 'collector.others.svc:8080'];

let testbed: Testbed;
let client: KubeClient;
let agent: AgentUnderTest;
/** All that no field of the agent names. */
let undeclared: readonly string[];

beforeAll(async () => {
  testbed = await startTestbed();
  client = testbed.client;
  agent = new AgentUnderTest(client, NAMESPACE, 'support');
  await testbed.cluster.loadImage(await debianImage(LIGHT_WITH_PYTHON));
  await testbed.cluster.loadImage(await programsImage(AGENT));
  await loadOperatorImage(testbed);
  await installOperator(testbed);
  for (const name of [NAMESPACE, 'tools', 'others']) await restrictedNamespace(client, name);
  await fillVolume(client, NAMESPACE);
  await new ServingUnderTest(client, NAMESPACE, 'tiny').apply(lightModel);
  await client.create(TYPES.secret, secret('first'));
  const users = { first: 'the day shift', second: 'the night shift' };
  const tickets = await startListener(client, { name: 'tickets', namespace: 'tools', otherPorts: [9_090], users });
  await startListener(client, { name: 'neighbour', namespace: NAMESPACE });
  await startListener(client, { name: 'collector', namespace: 'others' });
  const stranger = await startListener(client, { name: 'stranger', namespace: 'others' });
  const { coredns = 0 } = testbed.cluster.processes;
  await runInNetworkOf(coredns, ['ip', 'address', 'add', `${METADATA}/32`, 'dev', 'node0']);
  await startListener(client, { name: 'metadata', namespace: 'default', port: 80, onNode: true });
  undeclared = [
    'neighbour.agents.svc:8080',
    'stranger.others.svc:8080',
    `${stranger}:8080`,
    `${tickets}:9090`,
    'kubernetes.default.svc:443',
    `${METADATA}:80`,
  ];
});
afterAll(() => testbed.stop());

const secret = (token: string): ObjectBody => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'tickets', namespace: NAMESPACE },
  stringData: { token },
});

const all = (targets: readonly string[], how: 'open' | 'closed'): Reached =>
  Object.fromEntries(targets.map((target) => [target, how]));

/** Asks an agent by way of the API server, which policies do not keep out. */
const ask = (name: string, path: string, body?: object): Promise<unknown> =>
  client.raw(
    body === undefined ? 'GET' : 'POST',
    `/api/v1/namespaces/${NAMESPACE}/services/${name}:http/proxy/${path}`,
    { ...(body && { body }) },
  );

const urlOf = (targets: readonly string[]): string => `reach?${targets.map((target) => `to=${target}`).join('&')}`;

/** What a pod of no policy sees. */
async function probe(name: string, namespace: string, targets: readonly string[]): Promise<Reached> {
  const ended = await startProbe(client, { name, namespace }, ['reach', ...targets]);
  return JSON.parse(await ended()) as Reached;
}

test('an agent answers by what its model and the tools of its MCP server say, and asks both with their own SDKs', async () => {
  await agent.apply(support);
  await agent.reaches('Running', 120_000);
  const ended = await startProbe(client, { name: 'ask', namespace: 'others' }, [
    'ask',
    'http://support.agents.svc/ask',
    QUESTION,
  ]);
  const answer = JSON.parse(await ended()) as Answer;
  console.log(JSON.stringify(answer));
  expect(answer).toMatchObject({ model: 'tiny', tokens: 12 });
  expect(answer.tools).toEqual([
    { server: 'tickets', tool: 'find_ticket', text: expect.stringMatching(/^the day shift .* ticket 7 is open/) },
  ]);
});

test('it reaches its model, its MCP server and what it declares, and nothing else that others reach', async () => {
  expect(await probe('control', NAMESPACE, [...declared, ...undeclared])).toEqual(
    all([...declared, ...undeclared], 'open'),
  );
  const { reached } = (await ask('support', urlOf([...declared, ...undeclared]))) as { readonly reached: Reached };
  console.log(JSON.stringify(reached));
  expect(reached).toEqual({ ...all(declared, 'open'), ...all(undeclared, 'closed') });
});

test('anybody may ask on its port, and nobody on another one; another agent may who declares it', async () => {
  const declares = { ...bare, egress: [{ podLabels: { 'app.kubernetes.io/instance': 'support' }, ports: [8000] }] };
  const triage = new AgentUnderTest(client, NAMESPACE, 'triage');
  const intruder = new AgentUnderTest(client, NAMESPACE, 'intruder');
  await triage.apply(declares);
  await intruder.apply(bare);
  for (const each of [triage, intruder]) await each.reaches('Running', 120_000);

  const address = (await podsOf('support'))[0]?.status?.podIP;
  const [port, another] = [`${address}:8000`, `${address}:9000`];
  expect(await probe('outside', 'others', [port, another])).toEqual({ [port]: 'open', [another]: 'closed' });
  expect(await ask('support', urlOf(['localhost:9000']))).toMatchObject({ reached: { 'localhost:9000': 'open' } });
  const service = 'support.agents.svc:80';
  expect(await ask('triage', urlOf([service]))).toMatchObject({ reached: { [service]: 'open' } });
  expect(await ask('intruder', urlOf([service]))).toMatchObject({ reached: { [service]: 'closed' } });
});

test('its process gets the new value of a Secret within a minute, and answers all the while', async () => {
  const start = Date.now();
  await client.apply(TYPES.secret, secret('second'), { fieldManager: 'kubectl', force: true });
  let asked = 0;
  // Any failure ends the test.
  for (let text = ''; !text.startsWith('the night shift'); asked += 1) {
    expect(Date.now() - start).toBeLessThan(120_000);
    const answer = (await ask('support', 'ask', JSON.parse(QUESTION) as object)) as Answer;
    text = answer.tools[0]?.text ?? '';
  }
  console.log(JSON.stringify({ secondsUntilNewSecret: Math.round((Date.now() - start) / 1_000), asked }));
  await agent.reaches('Running', 120_000);
});

test('once it is deleted, what it could not reach stays closed until its last pod is gone', async () => {
  const url = `http://support.agents.svc/${urlOf([...declared, ...undeclared])}&seconds=30`;
  const ended = await startProbe(client, { name: 'run', namespace: 'others' }, ['ask', url]);
  await eventually(async () => expect((await logOf('run')).split('\n').length).toBeGreaterThan(2), { timeout: 60_000 });
  const deleted = Date.now();
  await agent.delete();
  await untilGone();
  const gone = Date.now();
  await eventually(async () => expect(await policyOf('support')).toBe(undefined), { timeout: 60_000 });

  const lines = (await ended()).trim().split('\n');
  const tries = lines.map((line) => JSON.parse(line) as { at: number; ending: boolean; reached: Reached });
  const after = tries.filter(({ at }) => at > deleted);
  const figures = {
    secondsUntilLastPodWasGone: Math.round((gone - deleted) / 1_000),
    secondsOfPolicyAfterIt: Math.round((Date.now() - gone) / 1_000),
    triesAfterDelete: after.length,
    triesAfterSigterm: after.filter(({ ending }) => ending).length,
  };
  console.log(JSON.stringify(figures));
  expect(figures.triesAfterSigterm).toBeGreaterThan(5);
  for (const { reached } of after) expect(reached).toEqual({ ...all(declared, 'open'), ...all(undeclared, 'closed') });
});

interface Pod extends KubeObject {
  readonly status?: { readonly phase?: string; readonly podIP?: string };
}

const podsOf = async (name: string): Promise<readonly Pod[]> => {
  const labelSelector = `app.kubernetes.io/instance=${name}`;
  return (await client.list(TYPES.pod, { namespace: NAMESPACE, labelSelector })).items;
};

const policyOf = (name: string): Promise<KubeObject | undefined> =>
  client.find(TYPES.networkPolicy, { namespace: NAMESPACE, name });

/** Waits until no pod is left, and sees at each look that one whose containers have not all ended has its policy. */
async function untilGone(): Promise<void> {
  let lost = 0;
  await eventually(
    async () => {
      const policy = await policyOf('support');
      const pods = await podsOf('support');
      const alive = pods.filter(({ status }) => !/Succeeded|Failed/.test(status?.phase ?? ''));
      if (alive.length > 0 && policy === undefined) lost += 1;
      expect(pods).toEqual([]);
    },
    { timeout: 120_000 },
  );
  expect(lost).toBe(0);
}

async function logOf(job: string): Promise<string> {
  const { items } = await client.list(TYPES.pod, { namespace: 'others', labelSelector: `job-name=${job}` });
  return client.podLog(items[0]?.metadata ?? { name: job });
}
