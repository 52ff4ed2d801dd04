import * as pulumi from '@pulumi/pulumi';
import { describe, expect, test } from 'vitest';
import { AgentService, DistributedTraining, ModelServing } from '../../../../stacks/pulumi/index.ts';
import { ComponentProvider } from '../../../../stacks/pulumi/provider/provider.ts';
import { single } from '../../model-serving/support/specs.ts';
import { deployed, inputsOf, later, secret, UNKNOWN } from '../support/engine.ts';

const provider = new ComponentProvider('1.2.3');

/** The options as the SDK fills them in for a program that gives none. */
const NO_OPTIONS = {
  aliases: [],
  dependsOn: [],
  protect: false,
  providers: {},
  parent: undefined,
  ignoreChanges: [],
  replaceOnChanges: [],
  customTimeouts: undefined,
  retainOnDelete: false,
} as unknown as pulumi.ComponentResourceOptions;

const construct = async (kind: string, name: string, inputs: pulumi.Inputs, options: object = {}) =>
  provider.construct(name, `trunnion:index:${kind}`, inputs, { ...NO_OPTIONS, ...options });

const agent = { image: 'agent:1', replicas: 1, model: 'gpt-4o' };
const training = { framework: 'pytorch', image: 'torch:1', command: ['torchrun', 'train.py'] } as const;

/** Each component, by the provider and by the package of TypeScript. */
const SAME: Readonly<Record<string, readonly [() => unknown, () => unknown]>> = {
  ModelServing: [
    () => construct('ModelServing', 'llama', { namespace: 'models', spec: single }),
    () => new ModelServing('llama', { namespace: 'models', spec: single }),
  ],
  'a ModelServing that the operator runs': [
    () => construct('ModelServing', 'llama', { namespace: 'models', spec: single, via: 'operator' }),
    () => new ModelServing('llama', { namespace: 'models', spec: single }, { via: 'operator' }),
  ],
  AgentService: [
    () => construct('AgentService', 'agent', { name: 'help', namespace: 'agents', spec: agent }),
    () => new AgentService('agent', { name: 'help', namespace: 'agents', spec: agent }),
  ],
  DistributedTraining: [
    () => construct('DistributedTraining', 'train', { namespace: 'default', spec: training, awaitEnd: true }),
    () => new DistributedTraining('train', { namespace: 'default', spec: training, awaitEnd: true }),
  ],
};

test.for(Object.entries(SAME))('%s is the same as in a program of TypeScript', async ([, [served, own]]) => {
  const [found, expected] = [await deployed(served), await deployed(own)];
  expect(found.resources.length).toBeGreaterThan(1);
  expect(found.resources).toEqual(expected.resources);
});

test('an agent takes what a ModelServing tells of itself as its model', async () => {
  const found = await deployed(async () => {
    const { state } = await construct('ModelServing', 'llama', { namespace: 'models', spec: single });
    await construct('AgentService', 'agent', {
      namespace: 'models',
      spec: { ...agent, model: pulumi.output(state['source']) },
    });
  });
  const expected = await deployed(() => {
    const model = new ModelServing('llama', { namespace: 'models', spec: single });
    new AgentService('agent', { namespace: 'models', spec: { ...agent, model } });
  });
  expect(inputsOf(found)).toEqual(inputsOf(expected));
});

test('an agent that the operator runs refers to the ModelServing by its name', async () => {
  const found = await deployed(async () => {
    const { state } = await construct('ModelServing', 'llama', { namespace: 'models', spec: single, via: 'operator' });
    const spec = { ...agent, model: pulumi.output(state['source']) };
    await construct('AgentService', 'agent', { namespace: 'models', spec, via: 'operator' });
  });
  expect(inputsOf(found)['agent-resource']).toMatchObject({ spec: { modelRef: { name: 'llama' } } });
});

test('it tells what a program may use', async () => {
  const { result } = await deployed(async () => {
    const { state } = await construct('ModelServing', 'llama', { namespace: 'models', spec: single });
    return new Promise((resolve) => pulumi.output(state).apply(resolve));
  });
  expect(result).toMatchObject({
    endpoint: 'http://llama.models.svc:8000/v1',
    servedName: 'llama',
    source: { name: 'llama', namespace: 'models', port: 8000 },
    names: { service: 'llama' },
  });
});

describe('text that comes later', () => {
  const env = [{ name: 'CANARY', value: pulumi.secret('hush') }];
  const program = () => construct('AgentService', 'agent', { namespace: later('agents'), spec: { ...agent, env } });

  test('is unknown in a preview just where it is used, and secret where it was', async () => {
    const found = inputsOf(await deployed(program, { preview: true }));
    expect(found['agent-service']).toMatchObject({ metadata: { namespace: UNKNOWN, name: 'agent' } });
    expect(JSON.stringify(found['agent-deployment'])).toContain(JSON.stringify(secret('hush')));
  });

  test('is plain once it is known, and what it came from is still waited for', async () => {
    const { resources } = await deployed(program);
    const service = resources.find(({ name }) => name === 'agent-service');
    expect(service).toMatchObject({ inputs: { metadata: { namespace: 'agents' } } });
    expect(service?.dependsOn).toEqual(expect.arrayContaining([expect.stringContaining('test:index:Source::agents')]));
  });
});

describe('inputs that are invalid', () => {
  const CASES: Readonly<Record<string, readonly [pulumi.Inputs, object]>> = {
    'no namespace, and no spec': [{}, { namespace: 'is required', spec: 'must be an object that a preview knows' }],
    'an input that is misspelled': [
      { namespace: 'models', spec: single, namespac: 'x', image: 'y' },
      {
        namespac: 'is no input of this component; did you mean namespace?',
        image: 'is no input of this component; there are name, namespace, via, spec',
      },
    ],
    'another owner': [
      { namespace: 'models', spec: single, via: 'helm' },
      { via: "must be 'pulumi' or 'operator', and known in a preview" },
    ],
    'a field of the spec': [
      { namespace: 'models', spec: { ...single, engine: { type: 'vlm' } } },
      { 'spec.engine.type': expect.stringContaining('vllm') },
    ],
  };

  test.for(Object.entries(CASES))('are refused by the path of each: %s', async ([, [inputs, expected]]) => {
    const error: unknown = await deployed(() => construct('ModelServing', 'llama', inputs)).catch(
      (cause: unknown) => cause,
    );
    if (!(error instanceof pulumi.InputPropertiesError)) throw error;
    expect(Object.fromEntries(error.errors.map(({ propertyPath, reason }) => [propertyPath, reason]))).toEqual(
      expected,
    );
  });

  test('a component that there is not is told with those that there are', async () => {
    await expect(construct('Toaster', 'x', {})).rejects.toThrow(
      'trunnion:index:Toaster is no component of trunnion: there are trunnion:index:ModelServing, trunnion:index:AgentService',
    );
  });
});

test('options that nobody gave leave our own as they are, and given ones hold', async () => {
  const sent = { create: '', update: '20m', pb_delete: '', read: '' };
  const { resources } = await deployed(() =>
    construct('ModelServing', 'llama', { namespace: 'models', spec: single }, { customTimeouts: sent }),
  );
  const deployment = resources.find(({ name }) => name === 'llama-deployment');
  expect(deployment?.timeouts).toMatchObject({ update: '20m', create: expect.stringMatching(/^\d+s$/) });
  expect(deployment?.timeouts.delete).toMatch(/^\d+s$/);
});
