import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { trunnion } from '../../support/trunnion.ts';
import { ECHO, engineOf, event, models, piece, refusal, stream } from './support/engines.ts';
import { ForwardingCluster, itemsOf, type PodPort } from './support/forwarding-cluster.ts';
import { live, pod, READY_POD } from './support/objects.ts';

const OURS = '/apis/trunnion.dev/v1alpha1/namespaces/models';
const PODS = '/api/v1/namespaces/models/pods';
const spec = { engine: { type: 'vllm' }, model: { uri: 'hf://a/b' } };
const status = { phase: 'Running', selector: 'app=llama' };

const serving = (fields: object = {}) =>
  live('trunnion.dev/v1alpha1', 'ModelServing', 'llama', { spec: { ...spec, ...fields }, status });

/** A cluster with a model, whose pods are those that have a port. */
const clusterWith = (
  ports: Readonly<Record<string, PodPort>>,
  objects: Readonly<Record<string, object | number>> = {},
) =>
  ForwardingCluster.start({
    ports,
    objects: {
      [`${OURS}/modelservings/llama`]: serving(),
      [PODS]: itemsOf(...Object.keys(ports).map((name) => pod(name, READY_POD))),
      ...objects,
    },
  });

const chat = ({ kubeconfig }: ForwardingCluster, args: readonly string[], input?: string) =>
  trunnion(['chat', ...args, '--kubeconfig', kubeconfig], input);

test('a question is answered by a pod, and how it came is told beside it', async () => {
  const cluster = await clusterWith({ 'llama-0': ECHO });
  const { code, stdout, stderr } = await chat(cluster, ['llama', 'Hello?', '--system', 'Be short.']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '2: Hello?\n' });
  expect(stderr).toMatch(
    /^modelserving\/llama answered: 9 tokens, the first after [\d.]+ s(, then [\d.]+ tokens a second)?\.\n$/,
  );
});

test('a model may be named with its kind', async () => {
  const cluster = await clusterWith({ 'llama-0': ECHO });
  expect(await chat(cluster, ['modelserving/llama', 'Hello?'])).toMatchObject({ code: 0, stdout: '1: Hello?\n' });
});

test('what is piped in is the prompt', async () => {
  const { stdout } = await chat(await clusterWith({ 'llama-0': ECHO }), ['llama'], 'From a file.\n');
  expect(stdout).toBe('1: From a file.\n');
});

test('as JSON nothing else is written', async () => {
  const { stdout, stderr } = await chat(await clusterWith({ 'llama-0': ECHO }), ['llama', 'Hi', '-o', 'json']);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({
    resource: 'modelserving/llama',
    pod: 'llama-0',
    model: 'llama',
    answer: '1: Hi',
    ending: 'stop',
    tokens: 9,
  });
});

test('the program ends with the answer, though the other end closes nothing', async () => {
  const { kubeconfig } = await clusterWith({ 'llama-0': ECHO });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['cli/main.ts', 'chat', 'llama', 'Hi', '--kubeconfig', kubeconfig],
    { timeout: 30_000 },
  );
  expect(stdout).toBe('1: Hi\n');
});

test('another pod is asked instead of one that is gone', async () => {
  const cluster = await clusterWith({ 'llama-0': 404, 'llama-1': ECHO });
  const { code, stdout } = await chat(cluster, ['llama', 'Hi', '-o', 'json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ pod: 'llama-1', answer: '1: Hi' });
});

test('a pod that ends is not asked', async () => {
  const ending = pod('llama-0', READY_POD, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
  const cluster = await clusterWith({ 'llama-1': ECHO }, { [PODS]: itemsOf(ending, pod('llama-1', READY_POD)) });
  await chat(cluster, ['llama', 'Hi']);
  expect(new Set(cluster.connected)).toEqual(new Set(['llama-1']));
});

test('the key of the server is read from its Secret', async () => {
  const env = [{ name: 'VLLM_API_KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'api' } } }];
  const guarded = engineOf({
    '/v1/models': models('llama'),
    '/v1/chat/completions': (response, _, { headers }) =>
      headers.authorization === 'Bearer abc'
        ? stream(response, piece('Come in.'), event('[DONE]'))
        : refusal(response, 401, 'Unauthorized'),
  });
  const objects = { [`${OURS}/modelservings/llama`]: serving({ env }) };
  const secret = {
    '/api/v1/namespaces/models/secrets/keys': live('v1', 'Secret', 'keys', { data: { api: btoa('abc') } }),
  };
  expect(
    await chat(await clusterWith({ 'llama-0': guarded }, { ...objects, ...secret }), ['llama', 'Hi']),
  ).toMatchObject({
    code: 0,
    stdout: 'Come in.\n',
  });
  const hidden = { '/api/v1/namespaces/models/secrets/keys': 403 };
  const { code, stderr } = await chat(await clusterWith({ 'llama-0': guarded }, { ...objects, ...hidden }), [
    'llama',
    'Hi',
  ]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /which is the key api of the Secret models\/keys, and that can not be read \(.* is forbidden: .*--api-key-env/,
  );
});

test('a model without a chat template continues the prompt, and that is told', async () => {
  const base = engineOf({
    '/v1/models': models('llama'),
    '/v1/chat/completions': (response) =>
      refusal(
        response,
        400,
        'As of transformers v4.44, default chat template is no longer allowed, so you must provide one.',
      ),
    '/v1/completions': (response, { prompt }) =>
      stream(response, event({ choices: [{ text: `${String(prompt)} upon a time` }] }), event('[DONE]')),
  });
  const { code, stdout, stderr } = await chat(await clusterWith({ 'llama-0': base }), ['llama', 'Once']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Once upon a time\n' });
  expect(stderr).toMatch(/^modelserving\/llama has no chat template: the model continues the text of the prompt\.\n/);
});

test.for<[string, readonly string[], PodPort, Readonly<Record<string, object | number>>, string | RegExp]>([
  [
    'that is not there',
    ['other', 'Hi'],
    ECHO,
    {},
    'there is no resource models/other; trunnion status -n models says what there is',
  ],
  [
    'of another kind',
    ['distributedtraining/resnet', 'Hi'],
    ECHO,
    {
      [`${OURS}/distributedtrainings/resnet`]: live('trunnion.dev/v1alpha1', 'DistributedTraining', 'resnet', {
        spec: {},
      }),
    },
    'a DistributedTraining can not be asked: chat is with a ModelServing or an AgentService',
  ],
  [
    'of another engine',
    ['llama', 'Hi'],
    ECHO,
    { [`${OURS}/modelservings/llama`]: serving({ engine: { type: 'triton' } }) },
    "does not speak OpenAI's HTTP",
  ],
  [
    'without a pod',
    ['llama', 'Hi'],
    ECHO,
    { [PODS]: itemsOf() },
    'no pod of modelserving/llama is ready: it is Running',
  ],
  [
    'whose pods may not be listed',
    ['llama', 'Hi'],
    ECHO,
    { [PODS]: 403 },
    'has no right; chat needs the rights to list pods, and to get and create pods/portforward',
  ],
  [
    'whose pods may not be connected to',
    ['llama', 'Hi'],
    403,
    { [`${PODS}/llama-0/portforward`]: 403 },
    /portforward is forbidden: User "ann" has no right; chat needs the rights/,
  ],
  ['that listens nowhere', ['llama', 'Hi'], 'closed', {}, 'failed to connect to localhost:8000: connection refused'],
  ['behind a silent server', ['llama', 'Hi', '--timeout', '1'], 'silent', {}, 'the server sent nothing for 1 s'],
  [
    'of embeddings',
    ['llama', 'Hi'],
    engineOf({ '/v1/models': models('llama') }),
    {},
    'can not be asked in words: its server has no chat and continues no text (/v1/completions)',
  ],
  [
    'with other models',
    ['llama', 'Hi', '--model', 'b'],
    ECHO,
    {},
    'the server has no model b (--model); it has: llama',
  ],
])('a resource %s is told in one sentence', async ([, args, port, objects, words]) => {
  const { code, stdout, stderr } = await chat(await clusterWith({ 'llama-0': port }, objects), args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(words);
});

test('a pod that dies in the middle of an answer is told, behind what it had said', async () => {
  let cluster: ForwardingCluster | undefined;
  const dying = engineOf({
    '/v1/models': models('llama'),
    '/v1/chat/completions': (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(piece('I was'));
      setTimeout(() => cluster?.kill('llama-0'), 100);
    },
  });
  cluster = await clusterWith({ 'llama-0': dying });
  const { code, stdout, stderr } = await chat(cluster, ['llama', 'Hi']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'I was' });
  expect(stderr).toMatch(/^error: the answer broke off: .*; trunnion status says how it is\n$/);
});

test('an agent is asked by its own HTTP where that is given, and else told which option says it', async () => {
  const agent = engineOf({
    '/ask': (response, body) => response.setHeader('content-type', 'text/plain').end(`asked ${JSON.stringify(body)}`),
  });
  const cluster = await clusterWith(
    { 'helper-0': agent },
    { [`${OURS}/agentservices/helper`]: live('trunnion.dev/v1alpha1', 'AgentService', 'helper', { spec: {}, status }) },
  );
  const { stdout, stderr } = await chat(cluster, [
    'agentservice/helper',
    'Open?',
    '--path',
    '/ask',
    '--field',
    'question',
  ]);
  expect(stdout).toBe('asked {"question":"Open?"}\n');
  expect(stderr).toMatch(/^agentservice\/helper answered: all of it after [\d.]+ s\.\n$/);
  const { stderr: advice } = await chat(cluster, ['helper', 'Open?']);
  expect(advice).toContain('agentservice/helper has no chat at /v1/chat/completions (status 404)');
  expect(advice).toContain('--path /ask --field question');
});

test('the lines for kubectl and curl are printed without a connection to a pod', async () => {
  const cluster = await clusterWith({}, { [PODS]: 403 });
  const { code, stdout } = await chat(cluster, ['llama', '--print', '--context', 'a', '--max-tokens', '9']);
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    `kubectl --kubeconfig ${cluster.kubeconfig} --context a port-forward -n models service/llama 8000:8000`,
    `curl -N http://127.0.0.1:8000/v1/chat/completions -H 'Content-Type: application/json' -d '{"model":"llama","messages":[{"role":"user","content":"Say hello."}],"max_tokens":9,"stream":true,"stream_options":{"include_usage":true}}'`,
    'curl http://127.0.0.1:8000/v1/models',
    '',
  ]);
  expect(cluster.connected).toEqual([]);
});

test.for<[readonly string[], string]>([
  [['llama'], 'there is no prompt: give one behind the name, or by standard input'],
  [['llama', 'Hi', '--field', 'a'], '--field needs --path'],
  [['llama', 'Hi', '--field', 'a', '--path', '/a', '--model', 'b'], 'leave out --model'],
  [['llama', 'Hi', '--path', 'a'], 'It must be the path of a URL'],
  [['llama', 'Hi', '--temperature', '3'], 'It must be a number from 0 to 2'],
  [['llama', 'Hi', '--max-tokens', '0'], 'It must be a whole number from 1 to 10000000'],
  [['llama', 'Hi', '--api-key-env', 'sk-abc'], 'and not the key itself'],
  [['a/b/c', 'Hi'], 'must be NAME or KIND/NAME'],
])('%j is a usage error', async ([args, words]) => {
  const { code, stderr } = await chat(await clusterWith({}), args);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});
