import { describe, expect, it } from 'vitest';
import { keyFromEnvironment, type KeySource, keySourceOf, readKey } from '../../../cli/chat/key.ts';
import { chooseModel } from '../../../cli/chat/models.ts';
import { whyNoPod } from '../../../cli/chat/pods.ts';
import { linesOf } from '../../../cli/chat/print.ts';
import { CHAT } from '../../../cli/chat/question.ts';
import { type Target, targetOf } from '../../../cli/chat/target.ts';
import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import { agentService } from '../../../operator/kinds/agent-service/index.ts';
import { modelServing } from '../../../operator/kinds/model-serving/index.ts';
import type { Resource } from '../../../operator/engine/api/index.ts';
import { live } from './support/objects.ts';

const model = (spec: object, status: object = {}, metadata: object = {}): Resource =>
  live('trunnion.dev/v1alpha1', 'ModelServing', 'llama', { spec, status, metadata }) as unknown as Resource;
const agent = (spec: object, status: object = {}): Resource =>
  live('trunnion.dev/v1alpha1', 'AgentService', 'helper', { spec, status }) as unknown as Resource;

const vllm = { engine: { type: 'vllm' }, model: { uri: 'hf://a/b' } };

describe('what is asked', () => {
  it.each([
    [
      'a ModelServing by its own name',
      modelServing,
      model(vllm, { selector: 'a=b' }),
      { model: 'llama', port: 8000, selector: 'a=b' },
    ],
    [
      'a ModelServing by the name that its spec has, at the port of its engine',
      modelServing,
      model({ engine: { type: 'sglang' }, model: { name: 'org/llama' } }),
      { model: 'org/llama', port: 30_000, servicePort: 30_000, selector: undefined },
    ],
    [
      'what is served while another model is fetched',
      modelServing,
      model(
        { engine: { type: 'vllm', port: 9000 }, model: { name: 'new' } },
        { served: { spec: { ...vllm, model: { name: 'old' } } } },
      ),
      { model: 'old', port: 8000 },
    ],
    [
      'an AgentService with the model of its modelRef',
      agentService,
      agent({ modelRef: { name: 'llama' } }, { model: { name: 'served' } }),
      { model: 'served', port: 8000, servicePort: 80, listsModels: false },
    ],
    ['an AgentService with the model of its provider', agentService, agent({ model: 'gpt-4o' }), { model: 'gpt-4o' }],
  ] as const)('is %s', (_, kind, resource, target) => {
    expect(targetOf({ kind, resource })).toMatchObject(target);
  });

  it.each([
    [
      'triton',
      "speaks KServe's V2 protocol, below /v2. Reach it by: kubectl port-forward -n models service/llama 8000",
    ],
    ['tensorflow-serving', 'kubectl port-forward -n models service/llama 8501'],
  ])('is not the engine %s', (type, words) => {
    expect(() => targetOf({ kind: modelServing, resource: model({ ...vllm, engine: { type } }) })).toThrow(words);
  });
});

describe('the API key of a server', () => {
  const secret = { from: 'secret', secret: 'keys', key: 'api' };
  const fromSecret = (name: string) => ({ name, valueFrom: { secretKeyRef: { name: 'keys', key: 'api' } } });
  it.each<[string, object, object]>([
    ['is none by default', {}, { from: 'none' }],
    ['is an argument', { args: ['--api-key=abc=d'] }, { from: 'value', value: 'abc=d' }],
    ['is the word after an argument', { args: ['--api_key', 'abc'] }, { from: 'value', value: 'abc' }],
    ['is in a Secret by a variable of the engine', { env: [fromSecret('VLLM_API_KEY')] }, secret],
    [
      'is in a Secret by a variable that an argument names',
      { args: ['--api-key=$(KEY)'], env: [fromSecret('KEY')] },
      secret,
    ],
    [
      'is the argument where there is a variable as well',
      { args: ['--api-key', 'abc'], env: [fromSecret('VLLM_API_KEY')] },
      { from: 'value', value: 'abc' },
    ],
    ['of TGI is in API_KEY', { type: 'tgi', env: [fromSecret('API_KEY')] }, secret],
    ['of SGLang is in no variable', { type: 'sglang', env: [fromSecret('API_KEY')] }, { from: 'none' }],
    [
      'may be where nobody can read it',
      { env: [{ name: 'VLLM_API_KEY', valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } }] },
      { from: 'elsewhere', at: 'the variable VLLM_API_KEY' },
    ],
    [
      'may be made from other variables',
      { args: ['--api-key=$(A)-$(B)'] },
      { from: 'elsewhere', at: 'spec.engine.args' },
    ],
  ])('%s', (_, engine, source) => {
    expect(keySourceOf({ ...vllm, engine: { type: 'vllm', ...engine } } as ModelServingSpec)).toEqual(source);
  });

  it('is what the pod template says last', () => {
    const podTemplate = {
      spec: { containers: [{ name: 'server', env: [{ name: 'VLLM_API_KEY', value: 'patched' }] }] },
    };
    const env = [{ name: 'VLLM_API_KEY', value: 'first' }];
    expect(keySourceOf({ ...vllm, env, podTemplate } as unknown as ModelServingSpec)).toEqual({
      from: 'value',
      value: 'patched',
    });
  });

  const read = (data: object, key: KeySource) =>
    readKey(
      { get: async () => live('v1', 'Secret', 'keys', { data }) },
      { namespace: 'models', reference: 'modelserving/llama', key },
    );
  const at = { from: 'secret', secret: 'keys', key: 'api' } as const;

  it('is read from its Secret', async () => {
    expect(await read({ api: Buffer.from('abc').toString('base64') }, at)).toBe('abc');
  });

  it.each<[string, object, KeySource, string]>([
    ['is not there', {}, at, 'there is no such value: the key api of the Secret models/keys'],
    ['is inherited by every object', {}, { ...at, key: 'constructor' }, 'there is no such value'],
    ['ends in a line break', { api: Buffer.from('abc\n').toString('base64') }, at, 'a line break or another character'],
    ['is elsewhere', {}, { from: 'elsewhere', at: 'the variable X' }, 'name that with --api-key-env'],
  ])('that %s is an error with a way out', async (_, data, source, words) => {
    await expect(read(data, source)).rejects.toThrow(words);
  });

  it('is in the variable that a user names', () => {
    expect(keyFromEnvironment('KEY', { KEY: 'abc' })).toBe('abc');
    expect(() => keyFromEnvironment('KEY', {})).toThrow('the variable KEY of --api-key-env is not set: export KEY=…');
  });
});

describe('the model', () => {
  it.each<[readonly string[], Parameters<typeof chooseModel>[1], string | undefined]>([
    [['llama'], { served: 'llama' }, 'llama'],
    [['llama', 'llama-sql'], { served: 'llama' }, 'llama'],
    [['llama', 'llama-sql'], { served: 'llama', wanted: 'llama-sql' }, 'llama-sql'],
    [['/models/a'], { served: 'llama' }, '/models/a'],
    [[], { served: 'llama' }, 'llama'],
    [[], { wanted: 'other' }, 'other'],
    [[], {}, undefined],
  ])('of a server with %j, asked for by %j, is %j', (models, given, chosen) => {
    expect(chooseModel(models, given)).toBe(chosen);
  });

  it('is not guessed', () => {
    expect(() => chooseModel(['a', 'b'], { served: 'c' })).toThrow('several models; say which by --model: a, b');
    expect(() => chooseModel(['a', 'b'], { wanted: 'c' })).toThrow('has no model c (--model); it has: a, b');
  });
});

describe('a resource without a pod that is ready', () => {
  const condition = (type: string, message: string) => [
    { type, status: 'False', reason: 'X', message, lastTransitionTime: '' },
  ];
  it.each<[string, Resource, string]>([
    ['is deleted', model(vllm, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), 'is being deleted'],
    [
      'is out of service',
      model({ ...vllm, retired: true }),
      `kubectl patch -n models modelserving/llama --type=merge -p '{"spec":{"retired":false}}'`,
    ],
    ['has no replicas', model({ ...vllm, replicas: 0 }), 'kubectl scale -n models modelserving/llama --replicas=1'],
    [
      'has an empty queue',
      agent({ autoscaling: { minReplicas: 0 } }, { phase: 'Running', replicas: 0 }),
      'while its queue is empty',
    ],
    ['was seen by nobody', model(vllm), 'trunnion doctor -n models says why'],
    [
      'waits',
      model(vllm, { phase: 'Pending', conditions: condition('Ready', 'no node has a GPU') }),
      'it is Pending (no node has a GPU). To follow it: trunnion status modelserving/llama -n models --watch',
    ],
  ])('that %s says what to type', (_, resource, words) => {
    expect(whyNoPod({ reference: 'modelserving/llama', namespace: 'models' }, resource)).toContain(words);
  });
});

describe('the lines to print', () => {
  const question = { model: 'llama', messages: [{ role: 'user', content: "it's" }] } as const;
  const target: Target = {
    reference: 'modelserving/llama',
    namespace: 'models',
    name: 'llama',
    selector: 'a=b',
    port: 8000,
    servicePort: 80,
    model: 'llama',
    listsModels: true,
    key: { from: 'none' },
  };

  it('are those of kubectl and of curl, each text one word of a shell', () => {
    const cluster = ['--context', 'my cluster'];
    expect(linesOf({ target, api: CHAT, question, cluster })).toEqual({
      portForward: "kubectl --context 'my cluster' port-forward -n models service/llama 8000:80",
      curl: String.raw`curl -N http://127.0.0.1:8000/v1/chat/completions -H 'Content-Type: application/json' -d '{"model":"llama","messages":[{"role":"user","content":"it'\''s"}],"stream":true,"stream_options":{"include_usage":true}}'`,
      models: 'curl http://127.0.0.1:8000/v1/models',
    });
  });

  it.each<[KeySource, string | undefined, string]>([
    [{ from: 'value', value: 'abc' }, undefined, '"Authorization: Bearer $API_KEY"'],
    [{ from: 'value', value: 'abc' }, 'MINE', '"Authorization: Bearer $MINE"'],
    [
      { from: 'secret', secret: 'keys', key: 'api.key' },
      undefined,
      String.raw`"Authorization: Bearer $(kubectl get secret -n models keys -o jsonpath='{.data.api\.key}' | base64 -d)"`,
    ],
  ])('show no key: %j', (key, keyVariable, header) => {
    const { curl } = linesOf({ target: { ...target, key }, api: CHAT, question, cluster: [], keyVariable });
    expect(curl).toContain(` -H ${header} `);
    expect(curl).not.toContain('abc');
  });
});
