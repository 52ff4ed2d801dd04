import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { queued, queues } from '../../examples/agent-service/example.ts';
import { AgentUnderTest, agentSpec } from '../support/agent.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { installPublished } from '../support/other-crds.ts';

const admin = adminClient();
beforeAll(() => installTrunnion(admin));

async function setUp(): Promise<AgentUnderTest> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  return new AgentUnderTest(admin, namespace);
}

const byQueue = { ...queued(queues.redis), resources: agentSpec.resources };

/** Says something instead of KEDA. */
async function report(agent: AgentUnderTest, condition: Readonly<Record<string, string>>): Promise<void> {
  const status = { conditions: [condition] };
  await admin.patch(TYPES.scaledObject, agent, { status }, { subresource: 'status' });
}

/** A pod of the agent that the simulation lets fail. */
const failing = (annotations: Readonly<Record<string, string>>) => ({
  ...agentSpec,
  podTemplate: { metadata: { annotations } },
});

describe('an AgentService', () => {
  it('whose container crashes is in phase Error, with its last words', async () => {
    const agent = await setUp();
    await agent.apply(failing({ 'sim.trunnion.dev/fail': '3', 'sim.trunnion.dev/message': 'no such tool' }));
    await agent.hasCondition('Ready', 'False', 'CrashLoop', /exit code 3: no such tool/);
    await agent.reaches('Error');
  });

  it('that a queue scales runs on without KEDA, and says so', async () => {
    const agent = await setUp();
    await agent.apply(byQueue);
    await agent.hasCondition('ScalingActive', 'False', 'KedaNotInstalled');
    await agent.hasCondition('Available', 'True', 'Available');
    await agent.reaches('Running');
  });

  it('that reaches hosts by name runs on without Cilium and says so, and has its policy once that is there', async () => {
    const agent = await setUp();
    const { namespace } = agent;
    await agent.apply({ ...agentSpec, egress: [{ hosts: ['api.openai.com', '*.example.com'], ports: [443] }] });
    await agent.hasCondition('Ready', 'False', 'CiliumNotInstalled', /hosts of spec\.egress/);
    await agent.hasCondition('Available', 'True', 'Available');
    const remove = await installPublished(admin, 'CiliumNetworkPolicy');
    onTestFinished(remove);
    // Which types there are is looked at once a minute.
    await agent.shows(({ status }) => {
      const ready = status?.conditions?.find(({ type }) => type === 'Ready');
      expect(ready).toMatchObject({ status: 'True', reason: 'Ready' });
    }, 150_000);
    expect(await admin.get(TYPES.ciliumNetworkPolicy, { namespace, name: agent.name })).toMatchObject({
      spec: { egress: [{}, { toFQDNs: [{ matchName: 'api.openai.com' }, { matchPattern: '*.example.com' }] }] },
    });
    await agent.apply(agentSpec);
    await eventually(async () =>
      expect(await admin.find(TYPES.ciliumNetworkPolicy, { namespace, name: agent.name })).toBeUndefined(),
    );
  }, 200_000);

  it('that a queue scales says what KEDA says of its scaling', async () => {
    const remove = await installPublished(admin, 'ScaledObject', 'TriggerAuthentication');
    onTestFinished(remove);
    const agent = await setUp();
    await agent.apply(byQueue);
    await agent.hasCondition('ScalingActive', 'Unknown', 'NotReported');
    await report(agent, { type: 'Fallback', status: 'True', reason: 'FallbackExists', message: 'The queue is away.' });
    await agent.hasCondition('ScalingActive', 'False', 'FallbackExists', /The queue is away/);
    await report(agent, { type: 'Ready', status: 'True', reason: 'ScaledObjectReady', message: 'It is ready.' });
    await agent.hasCondition('ScalingActive', 'True', 'ScaledObjectReady');
  });

  it('whose egress another policy widens says which', async () => {
    const agent = await setUp();
    const { namespace } = agent;
    const policy = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'allow-all', namespace },
      spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{}] },
    };
    await admin.create(TYPES.networkPolicy, policy);
    await agent.apply(agentSpec);
    await agent.hasCondition(
      'EgressEnforced',
      'False',
      'Widened',
      /NetworkPolicy allow-all opens any address on any port/,
    );
    expect((await agent.reaches('Running')).status?.readyReplicas).toBe(1);
  });

  it('touches no object of its name that is not its own', async () => {
    const agent = await setUp();
    const { namespace, name } = agent;
    const theirs = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${name}-config`, namespace },
      data: { a: 'b' },
    };
    await admin.create(TYPES.configMap, theirs);
    await agent.apply(agentSpec);
    await agent.hasCondition('Progressing', 'False', 'NameTaken');
    expect((await admin.get(TYPES.configMap, theirs.metadata))['data']).toEqual({ a: 'b' });
    await admin.delete(TYPES.configMap, theirs.metadata);
    await eventually(async () => expect((await agent.get()).status?.phase).toBe('Running'), { timeout: 60_000 });
  });

  it('whose Secret is not there says which', async () => {
    const agent = await setUp();
    await agent.apply({ ...agentSpec, credentials: [{ env: 'OPENAI_API_KEY', secretName: 'openai', key: 'key' }] });
    await agent.hasCondition('ResolvedRefs', 'False', 'ReferenceMissing', /There is no Secret openai/);
  });
});
