import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentUnderTest } from '../cluster/support/agent.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import { trunnion } from '../support/trunnion.ts';
import { debianImage, LIGHT_WITH_PYTHON } from './images/debian.ts';
import { AGENT, programsImage } from './images/programs.ts';
import { fillVolume, lightModel, restrictedNamespace } from './support/model.ts';
import { installOperator, loadOperatorImage } from './support/operator.ts';
import { startTestbed, type Testbed } from './support/testbed.ts';

const NAMESPACE = 'models';

let testbed: Testbed;

beforeAll(async () => {
  testbed = await startTestbed();
  const { client, cluster } = testbed;
  await cluster.loadImage(await debianImage(LIGHT_WITH_PYTHON));
  await cluster.loadImage(await programsImage(AGENT));
  await loadOperatorImage(testbed);
  await installOperator(testbed);
  await restrictedNamespace(client, NAMESPACE);
  await fillVolume(client, NAMESPACE);
  await new ServingUnderTest(client, NAMESPACE, 'tiny').apply(lightModel);
  await new ServingUnderTest(client, NAMESPACE, 'tiny').reaches('Running', 120_000);
});
afterAll(() => testbed.stop());

const chat = (...args: readonly string[]) =>
  trunnion(['chat', ...args, '-n', NAMESPACE, '--kubeconfig', testbed.cluster.kubeconfig]);

test('a model answers by a port-forward, and its tokens and its pace are told', async () => {
  const { code, stdout, stderr } = await chat('tiny', 'Hello?', '--max-tokens', '40');
  console.log(stderr);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${Array.from({ length: 40 }, (_, at) => `t${at + 1}`).join(' ')}\n`,
  });
  expect(stderr).toMatch(
    /^modelserving\/tiny answered: 40 tokens, the first after [\d.]+ s, then [\d.]+ tokens a second; it ends there since it may write no more \(--max-tokens\)\.\n$/,
  );
});

test('the lines of --print do the same by kubectl and curl', async () => {
  const { stdout } = await chat('tiny', '--print', '--max-tokens', '3');
  const [forward = '', ask = ''] = stdout.split('\n');
  const script = `${forward.replace('kubectl', testbed.cluster.binaries.kubectl)} >/dev/null & trap "kill $!" EXIT; sleep 3; ${ask}`;
  const printed = await promisify(execFile)('bash', ['-c', script], { timeout: 60_000 });
  expect(printed.stdout).toContain('"content":" t2"');
});

test('an agent answers by its own HTTP', async () => {
  const agent = new AgentUnderTest(testbed.client, NAMESPACE, 'support');
  await agent.apply({
    image: AGENT.name,
    modelRef: { name: 'tiny' },
    maxTokens: 4,
    resources: { cpu: '50m', memory: '128Mi' },
    replicas: 1,
    healthPath: '/healthz',
    drain: { timeoutSeconds: 30 },
  });
  await agent.reaches('Running', 120_000);
  const { code, stdout } = await chat('support', '--path', '/ask', '--field', 'question', 'Is ticket 7 open?');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ model: 'tiny', tokens: 4, answer: 't1 t2 t3 t4' });
});
