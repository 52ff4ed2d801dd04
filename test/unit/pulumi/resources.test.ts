import type * as pulumi from '@pulumi/pulumi';
import * as k8s from '@pulumi/kubernetes';
import { describe, expect, test } from 'vitest';
import { AgentService, DistributedTraining, ModelServing } from '../../../stacks/pulumi/index.ts';
import { finds } from '../../pulumi/provider/json-path.ts';
import { scaled, shared, single } from '../model-serving/support/specs.ts';
import { deployed, later, Source, type Asked, type Deployed } from './support/engine.ts';

/** What a rename would break, a line for each resource: its URN is made of parent, type and name. */
const registered = ({ resources }: Deployed<unknown>): readonly string[] =>
  resources.map(({ type, name, parent, dependsOn }) => {
    const waits = dependsOn.map((urn) => urn.split('::').at(-1));
    return `${parent.split('::').slice(2).join('::')}$${type}::${name}${waits.length > 0 ? ` after ${waits.join(', ')}` : ''}`;
  });

const serving = (spec: typeof single, opts: pulumi.ComponentResourceOptions = {}) =>
  deployed(() => new ModelServing('llama', { namespace: 'models', spec }, opts));

const agent = { image: 'ghcr.io/example/agent:1', model: 'gpt-4o', resources: { cpu: '1', memory: '1Gi' } };

const named = (resources: readonly Asked[], name: string): Asked => {
  const found = resources.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`no resource ${name}`);
  return found;
};

const annotationsOf = ({ inputs }: Asked): Readonly<Record<string, string>> =>
  (inputs as { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } }).metadata.annotations ??
  {};

describe('a component', () => {
  test('has a typed resource for each object, named by what it is to the workload, in the order of the construct', async () => {
    expect(registered(await serving(single))).toMatchSnapshot('one node mounts the weights');
    expect(registered(await serving(scaled))).toMatchSnapshot('scaled by KEDA, fetched by a Job, behind an Ingress');
    expect(
      registered(
        await deployed(
          () =>
            new AgentService('agent', {
              namespace: 'agents',
              spec: { ...agent, replicas: 2, expose: { gateway: { name: 'public', hostname: 'agent.example.com' } } },
            }),
        ),
      ),
    ).toMatchSnapshot('an agent behind a Gateway');
    const spec = { framework: 'pytorch' as const, image: 'trainer:1', replicas: 2, resources: { gpu: 1 } };
    expect(
      registered(await deployed(() => new DistributedTraining('resnet', { namespace: 'ml', spec }))),
    ).toMatchSnapshot('a training');
  });

  test('tells endpoint, names and objects', async () => {
    const { result, outputs } = await serving(single);
    expect(Object.keys(result.objects)).toEqual(Object.keys(result.names));
    expect(result.objects['deployment']).toBeInstanceOf(k8s.apps.v1.Deployment);
    expect(outputs).toEqual([
      {
        endpoint: 'http://llama.models.svc:8000/v1',
        servedName: 'llama',
        names: expect.objectContaining({ deployment: 'llama', weights: 'llama-weights-213249283a' }),
        objects: expect.objectContaining({ deployment: expect.anything() }),
      },
    ]);
  });

  test('may have another name than its resource', async () => {
    const { resources } = await deployed(
      () => new ModelServing('first', { name: 'llama', namespace: 'models', spec: single }),
    );
    expect(named(resources, 'first-deployment').inputs).toMatchObject({ metadata: { name: 'llama' } });
  });
});

describe('options', () => {
  test('Pulumi waits longer for pods than Kubernetes does', async () => {
    const { resources } = await serving({ ...shared, storage: { size: '4Ti', accessMode: 'ReadWriteMany' } });
    const { inputs, timeouts } = named(resources, 'llama-deployment');
    const { progressDeadlineSeconds } = (inputs as { readonly spec: { readonly progressDeadlineSeconds: number } })
      .spec;
    expect(timeouts).toEqual({
      create: `${progressDeadlineSeconds + 60}s`,
      update: `${progressDeadlineSeconds + 60}s`,
      delete: '5400s',
    });
    const patient = resources.filter((resource) => resource.timeouts.create === timeouts.create);
    expect(patient.map(({ name }) => name)).toEqual(['llama-deployment', 'llama-fetch', 'llama-service']);
  });

  test("the caller's timeouts, provider and dependencies reach the objects", async () => {
    const { resources } = await deployed(() => {
      const provider = new k8s.Provider('elsewhere', { context: 'elsewhere' });
      const first = new Source('first');
      const opts = { provider, dependsOn: [first], customTimeouts: { create: '5m' } };
      return new ModelServing('llama', { namespace: 'models', spec: shared }, opts);
    });
    const { provider, dependsOn, timeouts } = named(resources, 'llama-deployment');
    expect(provider).toContain('pulumi:providers:kubernetes::elsewhere');
    expect(dependsOn).toEqual(
      expect.arrayContaining([expect.stringMatching(/::first$/), expect.stringMatching(/::llama-fetch$/)]),
    );
    expect(timeouts.create).toBe('5m');
  });

  test('an Ingress is waited for no longer than the provider does by itself', async () => {
    const { timeouts } = named((await serving(scaled)).resources, 'llama-ingress');
    expect(timeouts).toEqual({ create: '', update: '', delete: '5400s' });
  });

  test.for([
    [3600, '5400s'],
    [60, '5400s'],
  ] as const)('what pods hold may go as long as they drain: %s s', async ([drainSeconds, least]) => {
    const { resources } = await serving({ ...shared, drain: { timeoutSeconds: drainSeconds } });
    for (const { timeouts } of resources.filter(({ type }) => type.startsWith('kubernetes:')))
      expect(timeouts.delete).toBe(least);
  });

  test("the caller's timeouts reach every object, and leave the others as they are", async () => {
    const { resources } = await serving(scaled, { customTimeouts: { delete: '3h' } });
    const objects = resources.filter(({ type }) => type.startsWith('kubernetes:'));
    for (const { timeouts } of objects) expect(timeouts.delete).toBe('3h');
    expect(named(resources, 'llama-deployment').timeouts.create).toBe('14400s');
  });

  test('a Job that failed ends the wait, and is created again; one of a role that never ends is not waited for', async () => {
    const fetch = named((await serving(shared)).resources, 'llama-fetch');
    expect(annotationsOf(fetch)).toMatchObject({ 'pulumi.com/replaceUnready': 'true' });
    const ended = (type: string, status: string) =>
      finds(annotationsOf(fetch)['pulumi.com/waitFor'] ?? '', { status: { conditions: [{ type, status }] } });
    expect([ended('Complete', 'True'), ended('Failed', 'True'), ended('Suspended', 'True')]).toEqual([
      true,
      true,
      false,
    ]);
    const mpi = { sshSecretName: 'keys' };
    const spec = { framework: 'mpi' as const, image: 'trainer:1', replicas: 2, mpi, command: ['mpirun'] };
    const { resources } = await deployed(
      () =>
        new DistributedTraining('resnet', {
          namespace: 'ml',
          spec: { ...spec, resources: { gpu: 1 } },
          awaitEnd: true,
        }),
    );
    expect(annotationsOf(named(resources, 'resnet-worker'))).toMatchObject({ 'pulumi.com/skipAwait': 'true' });
    expect(annotationsOf(named(resources, 'resnet-worker'))).not.toHaveProperty(['pulumi.com/replaceUnready']);
    expect(annotationsOf(named(resources, 'resnet-launcher'))).toHaveProperty(['pulumi.com/waitFor']);
  });

  test('a claim that is retained is taken back as it is, whatever it is bound to', async () => {
    const { type, inputs } = named((await serving(scaled)).resources, 'llama-weights');
    expect(type).toBe('kubernetes:core/v1:PersistentVolumeClaimPatch');
    expect(inputs).toMatchObject({
      metadata: { annotations: { 'pulumi.com/skipAwait': 'true', 'pulumi.com/patchForce': 'true' } },
    });
    expect(named((await serving(shared)).resources, 'llama-weights').type).toBe(
      'kubernetes:core/v1:PersistentVolumeClaim',
    );
  });

  test('its user is told that an alias keeps no object whose name changes', async () => {
    const warnings = async (name: string | undefined) => {
      const args = { namespace: 'models', spec: shared, ...(name !== undefined && { name }) };
      const opts = { aliases: [{ name: 'mistral' }] };
      return (await deployed(() => new ModelServing('llama', args, opts))).warnings;
    };
    expect(await warnings(undefined)).toContainEqual(expect.stringContaining("give name: 'mistral'"));
    expect(await warnings('mistral')).toEqual([]);
  });

  test('weights that are to be retained stay when the program no longer has them', async () => {
    const retained = async (spec: typeof single) =>
      (await serving(spec)).resources.filter((resource) => resource.retained).map(({ name }) => name);
    expect(await retained(scaled)).toEqual(['llama-weights']);
    expect(await retained(shared)).toEqual([]);
  });

  test('nobody waits for the pods of an agent that may have none', async () => {
    const annotated = async (minReplicas: number) => {
      const queue = { type: 'redis' as const, address: 'redis.agents.svc:6379', list: 'tasks' };
      const autoscaling = { minReplicas, maxReplicas: 3, targets: { queueDepth: 5 }, queue };
      const { resources } = await deployed(
        () => new AgentService('agent', { namespace: 'agents', spec: { ...agent, autoscaling } }),
      );
      return resources.filter(({ inputs }) => JSON.stringify(inputs).includes('skipAwait')).map(({ name }) => name);
    };
    expect(await annotated(0)).toEqual(['agent-deployment', 'agent-service']);
    expect(await annotated(1)).toEqual([]);
  });

  test('a fetch that nobody waits for is created again where it has not completed', async () => {
    const fetch = named((await serving({ ...shared, replicas: 0 })).resources, 'llama-fetch');
    expect(annotationsOf(fetch)).toMatchObject({
      'pulumi.com/skipAwait': 'true',
      'pulumi.com/replaceUnready': 'true',
    });
  });

  test('nobody waits for the pods of a model that has none', async () => {
    const { resources } = await serving({ ...single, replicas: 0 });
    const left = resources.filter(({ inputs }) => JSON.stringify(inputs).includes('skipAwait')).map(({ name }) => name);
    expect(left).toEqual(['llama-deployment', 'llama-service']);
  });

  test('nobody waits for the end of a training that is suspended', async () => {
    const spec = {
      framework: 'pytorch' as const,
      image: 'trainer:1',
      replicas: 2,
      resources: { gpu: 1 },
      suspend: true,
    };
    const { resources } = await deployed(
      () => new DistributedTraining('resnet', { namespace: 'ml', spec, awaitEnd: true }),
    );
    const { 'pulumi.com/skipAwait': skipped, 'pulumi.com/replaceUnready': again } = annotationsOf(
      named(resources, 'resnet-worker'),
    );
    expect([skipped, again]).toEqual(['true', undefined]);
  });

  test('nobody waits for the end of a training who does not ask for it', async () => {
    const waits = async (args: { readonly awaitEnd?: boolean }) => {
      const spec = { framework: 'pytorch' as const, image: 'trainer:1', replicas: 2, resources: { gpu: 1 } };
      const { resources } = await deployed(() => new DistributedTraining('resnet', { namespace: 'ml', spec, ...args }));
      return resources.filter(({ inputs }) => !JSON.stringify(inputs).includes('skipAwait')).map(({ name }) => name);
    };
    const [silently, asked] = [await waits({}), await waits({ awaitEnd: true })];
    expect(asked.filter((name) => !silently.includes(name))).toEqual(['resnet-service', 'resnet-worker']);
  });

  test('replicas are left to an autoscaler', async () => {
    expect(named((await serving(scaled)).resources, 'llama-deployment').inputs).not.toHaveProperty('spec.replicas');
    expect(named((await serving(shared)).resources, 'llama-deployment').inputs).toHaveProperty('spec.replicas', 2);
  });
});

test('an object depends on the resource that its text comes from', async () => {
  const { resources } = await deployed(() => new ModelServing('llama', { namespace: later('models'), spec: single }));
  for (const { dependsOn, type } of resources.filter((resource) => resource.type.startsWith('kubernetes:'))) {
    expect([type, dependsOn]).toEqual([type, expect.arrayContaining([expect.stringMatching(/Source::models$/)])]);
  }
});
