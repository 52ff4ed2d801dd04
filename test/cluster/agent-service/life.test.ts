import { beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { AgentUnderTest, agentServiceType, agentSpec } from '../support/agent.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const RESTRICTED = { 'pod-security.kubernetes.io/enforce': 'restricted' };

async function setUp(): Promise<AgentUnderTest> {
  const namespace = await testNamespace(admin, RESTRICTED);
  await startOperator(admin, namespace);
  return new AgentUnderTest(admin, namespace);
}

interface Template {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

const deploymentOf = async ({ namespace, name }: AgentUnderTest) =>
  (await admin.get(TYPES.deployment, { namespace, name })) as KubeObject & {
    readonly spec: { readonly replicas: number; readonly template: Template };
  };

const annotationsOf = async (agent: AgentUnderTest) => (await deploymentOf(agent)).spec.template.metadata.annotations;

const configOf = async ({ namespace, name }: AgentUnderTest) =>
  (await admin.get(TYPES.configMap, { namespace, name: `${name}-config` }))['data'];

describe('the life of an AgentService, where the restricted Pod Security Standard is enforced,', () => {
  it('reaches Running, with what its users ask for in its status', async () => {
    const agent = await setUp();
    await agent.apply(agentSpec);
    const running = await agent.reaches('Running');
    expect(running.status).toMatchObject({
      url: `http://support-agent.${agent.namespace}.svc`,
      selector: expect.stringContaining('app.kubernetes.io/instance=support-agent'),
      lastUpdated: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await agent.hasCondition('EgressEnforced', 'True', 'Enforced');
  });

  it('rolls its pods when its configuration changes, and ends where it should', async () => {
    const agent = await setUp();
    await agent.apply(agentSpec);
    await agent.reaches('Running');
    const before = await annotationsOf(agent);
    await agent.apply({ ...agentSpec, temperature: 0.5, tools: ['search', 'tickets'] });
    await agent.shows(({ status }) => expect(status?.phase).toBe('Running'));
    expect(await annotationsOf(agent)).not.toEqual(before);
    expect(await configOf(agent)).toEqual({ MODEL_NAME: 'gpt-4o', TEMPERATURE: '0.5', TOOLS: 'search,tickets' });
  });

  it('scales by the scale subresource, down to Stopped and up again', async () => {
    const agent = await setUp();
    await agent.apply(agentSpec);
    await agent.reaches('Running');
    const scale = (replicas: number) =>
      admin.patch(agentServiceType, agent, { spec: { replicas } }, { subresource: 'scale' });
    await scale(3);
    await agent.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 3 }));
    await scale(0);
    await agent.shows(({ status }) => expect(status).toMatchObject({ phase: 'Stopped', replicas: 0 }));
    await scale(1);
    await agent.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 1 }));
  });

  it('leaves its replicas to others where the spec has none', async () => {
    const agent = await setUp();
    const { replicas: _, ...unset } = agentSpec;
    await agent.apply(agentSpec);
    await agent.reaches('Running');
    await agent.apply(unset);
    await agent.reaches('Running');
    await admin.patch(TYPES.deployment, agent, { spec: { replicas: 2 } });
    await agent.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 2 }));
    await agent.apply({ ...unset, temperature: 1 });
    await agent.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 2 }));
    expect((await deploymentOf(agent)).spec.replicas).toBe(2);
  });

  it('takes all of its children with it', async () => {
    const agent = await setUp();
    await agent.apply({ ...agentSpec, replicas: 2, expose: { ingress: { host: 'agent.example.com' } } });
    await agent.reaches('Running');
    await agent.delete();
    await eventually(async () => {
      expect(await admin.find(agentServiceType, agent)).toBeUndefined();
      for (const type of [TYPES.deployment, TYPES.service, TYPES.networkPolicy]) {
        expect(await admin.find(type, agent)).toBeUndefined();
      }
    });
  });
});

describe('an AgentService that refers to a ModelServing', () => {
  const { model: _, ...modelless } = agentSpec;
  const referring = { ...modelless, modelRef: { name: 'llama' } };

  it('waits for it and follows it', async () => {
    const agent = await setUp();
    const serving = new ServingUnderTest(admin, agent.namespace);
    await agent.apply(referring);
    await agent.hasCondition('ResolvedRefs', 'False', 'ModelNotFound');
    expect(await admin.find(TYPES.deployment, agent)).toBeUndefined();

    await serving.apply(servingSpec);
    await agent.hasCondition('ResolvedRefs', 'True', 'Resolved');
    await serving.reaches('Running');
    await agent.hasCondition('Ready', 'True', 'Ready');
    expect(await configOf(agent)).toEqual({
      MODEL_NAME: 'llama',
      OPENAI_BASE_URL: `http://llama.${agent.namespace}.svc:8000/v1`,
    });

    await serving.apply({ ...servingSpec, engine: { type: 'vllm', port: 9000 } });
    await eventually(async () => {
      expect(await configOf(agent)).toMatchObject({
        OPENAI_BASE_URL: `http://llama.${agent.namespace}.svc:9000/v1`,
      });
    });
    await agent.reaches('Running');
  });

  it('continues when it is gone', async () => {
    const agent = await setUp();
    const serving = new ServingUnderTest(admin, agent.namespace);
    const { storage: _, ...mounted } = servingSpec;
    // Without replicas it has nothing to drain.
    await serving.apply({ ...mounted, model: { uri: 'pvc://models' }, replicas: 0 });
    await agent.apply(referring);
    await agent.hasCondition('Ready', 'False', 'ModelNotReady');
    await agent.reaches('Running');
    await serving.delete();
    await agent.hasCondition('ResolvedRefs', 'False', 'ModelNotFound', /continue with llama as it was/);
    expect((await agent.get()).status).toMatchObject({ phase: 'Running', readyReplicas: 1 });
  });
});

describe('what an AgentService reads when it starts', () => {
  it('rolls the pods when it has changed, Secret or ConfigMap, within a little more than a minute', async () => {
    const namespace = await testNamespace(admin, RESTRICTED);
    await startOperator(admin, namespace);
    const write = async (value: string) => {
      const by = { fieldManager: 'test', force: true };
      const metadata = { name: 'openai', namespace };
      await admin.apply(TYPES.secret, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { key: value } }, by);
      await admin.apply(TYPES.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { key: value } }, by);
    };
    await write('one');
    const source = { name: 'openai', key: 'key' };
    const cases = [
      ['by-secret', { credentials: [{ env: 'OPENAI_API_KEY', secretName: source.name, key: source.key }] }],
      ['by-config-map', { env: [{ name: 'PROMPT', valueFrom: { configMapKeyRef: source } }] }],
    ] as const;
    const agents = cases.map(([name, reading]) => ({ agent: new AgentUnderTest(admin, namespace, name), reading }));
    for (const { agent, reading } of agents) {
      await agent.apply({ ...agentSpec, ...reading });
      await agent.shows(({ status }) => expect(status?.references).toBeDefined());
      expect(await annotationsOf(agent)).not.toHaveProperty(['trunnion.dev/references']);
    }
    await write('two');
    for (const { agent } of agents) {
      await eventually(async () => expect(await annotationsOf(agent)).toHaveProperty(['trunnion.dev/references']), {
        timeout: 80_000,
      });
    }
  });
});
