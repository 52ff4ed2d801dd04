import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { describe, expect, test } from 'vitest';
import {
  AgentService,
  DistributedTraining,
  ModelServing,
  text,
  type ModelServingArgs,
  type WorkloadOptions,
} from '../../../stacks/pulumi/index.ts';
import { finds } from '../../pulumi/provider/json-path.ts';
import { shared, single } from '../model-serving/support/specs.ts';
import { deployed, failures, later, secret, Source, UNKNOWN, type Asked } from './support/engine.ts';

const operated = { via: 'operator' } as const;
const agent = { image: 'ghcr.io/example/agent:1', model: 'gpt-4o', resources: { cpu: '1', memory: '1Gi' } };
const training = { framework: 'pytorch', image: 'trainer:1', replicas: 2, resources: { gpu: 1 } } as const;

const serving = (spec: ModelServingArgs['spec'] = single, opts: WorkloadOptions = {}) =>
  deployed(() => new ModelServing('llama', { namespace: 'models', spec }, { ...operated, ...opts }));

/** What is made but for the component itself, and what others than Pulumi's Kubernetes make. */
const made = ({ resources }: { readonly resources: readonly Asked[] }): readonly Asked[] =>
  resources.filter(({ type }) => type.startsWith('kubernetes:'));

const annotationsOf = (asked: Asked | undefined): unknown =>
  (asked?.inputs as { readonly metadata: { readonly annotations: unknown } } | undefined)?.metadata.annotations;

test('Pulumi makes the custom resource with the spec as it was written, and nothing else', async () => {
  const found = await serving();
  expect(made(found)).toMatchObject([
    {
      type: 'kubernetes:trunnion.dev/v1alpha1:ModelServing',
      name: 'llama-resource',
      parent: expect.stringMatching(/::trunnion:index:ModelServing::llama$/),
      inputs: {
        apiVersion: 'trunnion.dev/v1alpha1',
        kind: 'ModelServing',
        metadata: { name: 'llama', namespace: 'models' },
        spec: single,
      },
    },
  ]);
  expect(made(found)[0]?.inputs).not.toHaveProperty('status');
});

/** Whether Pulumi continues once the operator says this of a resource. */
const endsWith = (asked: Asked | undefined, ...conditions: readonly (readonly [string, string])[]): boolean => {
  const annotations = annotationsOf(asked) as Readonly<Record<string, string>>;
  const status = { conditions: conditions.map(([type, state]) => ({ type, status: state })) };
  return finds(annotations['pulumi.com/waitFor'] ?? '', { status });
};

describe('Pulumi waits', () => {
  test('until a model or an agent is Ready or stuck, as long as a model may load', async () => {
    const [model] = made(await serving({ ...shared, storage: { size: '4Ti', accessMode: 'ReadWriteMany' } }));
    const [found] = made(await deployed(() => new AgentService('a', { namespace: 'agents', spec: agent }, operated)));
    for (const resource of [model, found]) {
      expect(endsWith(resource)).toBe(false);
      expect(endsWith(resource, ['Accepted', 'True'], ['Progressing', 'True'], ['Ready', 'False'])).toBe(false);
      expect(endsWith(resource, ['Progressing', 'True'], ['Ready', 'True'])).toBe(true);
      expect(endsWith(resource, ['Progressing', 'False'], ['Ready', 'False'])).toBe(true);
      expect(endsWith(resource, ['Accepted', 'False'], ['Ready', 'False'])).toBe(true);
    }
    expect(Number.parseInt(model?.timeouts.create ?? '', 10)).toBeGreaterThanOrEqual(4 * 3600);
  });

  test.for([
    ['a model that is retired', { ...single, retired: true }],
    ['a model without replicas', { ...single, replicas: 0 }],
  ] as const)('no longer than until the operator has seen %s', async ([, spec]) => {
    const [found] = made(await serving(spec));
    expect(endsWith(found, ['Ready', 'False'])).toBe(false);
    expect(endsWith(found, ['Accepted', 'True'])).toBe(true);
    expect(endsWith(found, ['Accepted', 'False'])).toBe(true);
    expect(found?.timeouts).toEqual({ create: '600s', update: '600s', delete: '5400s' });
  });

  test('until a training is accepted, or with awaitEnd until it ends in any way', async () => {
    const resource = async (awaitEnd: boolean) => {
      const args = { namespace: 'ml', spec: training, awaitEnd };
      return made(await deployed(() => new DistributedTraining('resnet', args, operated)))[0];
    };
    expect(endsWith(await resource(false), ['Accepted', 'True'])).toBe(true);
    const awaited = await resource(true);
    expect(endsWith(awaited, ['Accepted', 'True'], ['Suspended', 'True'], ['Failed', 'False'])).toBe(false);
    expect(endsWith(awaited, ['Complete', 'True'])).toBe(true);
    expect(endsWith(awaited, ['Complete', 'False'], ['Failed', 'True'])).toBe(true);
    expect(endsWith(awaited, ['Accepted', 'False'])).toBe(true);
  });

  test.for([
    ['its deadline', { activeDeadlineSeconds: 86_400 }, 86_400 + 600],
    ['its deadline and the time in a queue', { activeDeadlineSeconds: 86_400, queue: 'team' }, 31 * 86_400],
    ['a month where it has none', {}, 30 * 86_400],
  ] as const)('for the end of a training as long as %s', async ([, limits, seconds]) => {
    const args = { namespace: 'ml', spec: { ...training, ...limits }, awaitEnd: true };
    const [resource] = made(await deployed(() => new DistributedTraining('resnet', args, operated)));
    expect(resource?.timeouts.create).toBe(`${seconds}s`);
    const found = await deployed(() => new DistributedTraining('resnet', args));
    expect(made(found).find(({ name }) => name === 'resnet-worker')?.timeouts.update).toBe(`${seconds}s`);
  });

  test("as long as the caller's timeouts say", async () => {
    const [found] = made(await serving(single, { customTimeouts: { create: '5m' } }));
    expect(found?.timeouts).toMatchObject({ create: '5m' });
  });

  test('for the end of a drain, since the resource is deleted in the background', async () => {
    const [found] = made(await serving());
    expect(annotationsOf(found)).toMatchObject({ 'pulumi.com/deletionPropagationPolicy': 'background' });
  });
});

describe('outputs', () => {
  const reported = async <T>(output: pulumi.Output<T>): Promise<T> =>
    (output as unknown as { promise(): Promise<T> }).promise();

  test('are what the operator reports', async () => {
    const status = { endpoint: 'https://llama.example.com/v1', url: 'https://agent.example.com' };
    const program = () => ({
      model: new ModelServing('llama', { namespace: 'models', spec: single }, operated),
      agent: new AgentService('agent', { namespace: 'agents', spec: agent }, operated),
    });
    const { result } = await deployed(program, { status });
    expect(await reported(result.model.endpoint)).toBe(status.endpoint);
    expect(await reported(result.agent.endpoint)).toBe(status.url);
    expect(await reported(result.model.servedName)).toBe('llama');
    expect(Object.keys(result.model.objects)).toEqual(['resource']);
    expect(await reported(pulumi.output(result.model.names))).toEqual({ resource: 'llama' });
  });

  test('are what the construct says as long as the operator has not told them', async () => {
    const { result } = await serving();
    expect(await reported(result.endpoint)).toBe('http://llama.models.svc:8000/v1');
  });
});

describe('a failure that the operator told', () => {
  const stuck = {
    observedGeneration: 1,
    conditions: [{ type: 'Progressing', status: 'False', reason: 'NoSuchGPU', message: 'No node has it.' }],
  };
  const program = () => new ModelServing('llama', { namespace: 'models', spec: single }, operated);

  test('ends an up', async () => {
    const found = await failures(() => deployed(program, { status: stuck, generation: 1 }));
    expect(found).toEqual([expect.stringContaining('ModelServing models/llama: NoSuchGPU')]);
  });

  test('ends no preview, which shows what may fix it', async () => {
    expect(await failures(() => deployed(program, { preview: true, status: stuck, generation: 1 }))).toEqual([]);
  });

  test('of the spec before ends no up with another spec', async () => {
    expect(await failures(() => deployed(program, { status: stuck, generation: 2 }))).toEqual([]);
  });
});

describe('secrets', () => {
  test('are none of what the operator tells, whose status is kept as a secret', async () => {
    const spec = { ...single, env: [{ name: 'TOKEN', value: pulumi.secret('hidden') }] };
    const status = { endpoint: 'https://llama.example.com/v1', served: { spec } };
    const found = await deployed(() => new ModelServing('llama', { namespace: 'models', spec }, operated), { status });
    expect(made(found)[0]?.secretOutputs).toEqual(['status']);
    expect(await isSecret(found.result.endpoint)).toBe(false);
  });

  test('stay secret in an output that is made of one', async () => {
    const found = await deployed(
      () => new ModelServing('llama', { namespace: pulumi.secret('hidden'), spec: single }, operated),
      { status: { endpoint: 'http://llama.hidden.svc/v1' } },
    );
    expect(await isSecret(found.result.endpoint)).toBe(true);
  });

  test('stay secret where the operator tells of one, as in the host of an Ingress', async () => {
    const status = { endpoint: 'https://hidden.example.com/v1' };
    const program = (host: pulumi.Input<string>) => () => {
      const spec = { ...single, expose: { ingress: { host } } };
      return new ModelServing('llama', { namespace: 'models', spec }, operated);
    };
    const secretly = await deployed(program(pulumi.secret('hidden.example.com')), { status });
    expect(await isSecret(secretly.result.endpoint)).toBe(true);
    const plainly = await deployed(program(pulumi.output('hidden.example.com')), { status });
    expect(await isSecret(plainly.result.endpoint)).toBe(false);
  });

  test('may be quoted in no status that Pulumi keeps, where the spec has any text of others', async () => {
    const secretOutputs = async (value: pulumi.Input<string>) => {
      const spec = { ...shared, env: [{ name: 'TOKEN', value }] };
      const found = await deployed(() => new ModelServing('llama', { namespace: 'models', spec }));
      return made(found).map((asked) => asked.secretOutputs);
    };
    for (const outputs of await secretOutputs(pulumi.secret('hidden'))) expect(outputs).toEqual(['status']);
    for (const outputs of await secretOutputs('plain')) expect(outputs).toEqual([]);
  });
});

const isSecret = async (output: pulumi.Output<unknown>): Promise<boolean> =>
  (output as unknown as { readonly isSecret: Promise<boolean> }).isSecret;

describe('arguments', () => {
  test('what is unknown or secret stays so, and nothing else', async () => {
    const program = () => {
      const model = { uri: text`s3://${later('bucket')}/llama/` };
      const spec = { ...shared, model, env: [{ name: 'TOKEN', value: pulumi.secret('hidden') }] };
      return new ModelServing('llama', { namespace: later('models'), spec }, operated);
    };
    const [found] = made(await deployed(program, { preview: true }));
    expect(found?.inputs).toMatchObject({
      metadata: { name: 'llama', namespace: UNKNOWN },
      spec: { model: { uri: UNKNOWN }, env: [{ name: 'TOKEN', value: secret('hidden') }] },
    });
  });

  test('that are wrong are told all at once, in the words of the other way', async () => {
    const wrong = { ...single, resources: { gpu: -1, memory: 'much' } };
    const problems = async (opts: WorkloadOptions): Promise<unknown> => {
      const failure = deployed(() => new ModelServing('llama', { namespace: 'models', spec: wrong }, opts));
      return failure.catch((error: unknown) => (error as { readonly errors: unknown }).errors);
    };
    expect(await problems(operated)).toEqual(await problems({}));
    expect(await problems(operated)).toHaveLength(2);
  });

  test('that only the operator can carry out are taken', async () => {
    const referring = { ...agent, modelRef: { name: 'llama' } };
    const { model: _, ...spec } = referring;
    const program = (opts: WorkloadOptions) => () => new AgentService('agent', { namespace: 'models', spec }, opts);
    expect(made(await deployed(program(operated)))).toHaveLength(1);
    await expect(deployed(program({}))).rejects.toThrow('AgentService agent is invalid');
  });
});

describe('an agent whose model is a component', () => {
  const program = (via: 'operator' | 'pulumi') => () => {
    const model = new ModelServing('llama', { namespace: 'models', spec: single }, { via });
    const { model: _, ...spec } = agent;
    try {
      return new AgentService('agent', { namespace: 'models', spec: { ...spec, model } }, operated);
    } catch (error) {
      return error;
    }
  };

  test('refers to its resource', async () => {
    const [found] = made(await deployed(program('operator')));
    expect(found?.inputs).toMatchObject({ kind: 'AgentService', spec: { modelRef: { name: 'llama' } } });
    expect(found?.inputs).not.toHaveProperty('spec.model');
  });

  test('is refused where no operator runs that', async () => {
    expect((await deployed(program('pulumi'))).result).toMatchObject({
      errors: [{ propertyPath: 'spec.model', reason: expect.stringContaining('that the operator runs as well') }],
    });
  });
});

describe('options', () => {
  test("the caller's provider, dependencies and retention reach the resource, and every object of the other way", async () => {
    const program = (via: 'operator' | 'pulumi') => () => {
      const provider = new k8s.Provider('elsewhere', { context: 'elsewhere' });
      const opts = { via, provider, dependsOn: [new Source('first')], retainOnDelete: true };
      return new ModelServing('llama', { namespace: 'models', spec: single }, opts);
    };
    const found = [...made(await deployed(program('operator'))), ...made(await deployed(program('pulumi')))];
    for (const { provider, dependsOn, retained } of found.filter(({ name }) => name !== 'elsewhere')) {
      expect(provider).toContain('pulumi:providers:kubernetes::elsewhere');
      expect(dependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/::first$/)]));
      expect(retained).toBe(true);
    }
  });

  test('no workload is made in both ways', async () => {
    const { result } = await deployed(() => {
      new ModelServing('one', { name: 'llama', namespace: 'models', spec: single });
      new ModelServing('other', { name: 'mistral', namespace: 'models', spec: single }, operated);
      try {
        return new ModelServing('two', { name: 'llama', namespace: 'models', spec: single }, operated);
      } catch (error) {
        return error;
      }
    });
    expect(result).toMatchObject({
      errors: [{ propertyPath: 'name', reason: expect.stringContaining('made via pulumi already') }],
    });
  });
});
