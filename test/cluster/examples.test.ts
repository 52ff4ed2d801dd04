import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { resnet } from '../examples/distributed-training/example.ts';
import { AgentUnderTest, agentServiceType } from './support/agent.ts';
import { adminClient, kubectl } from './support/client.ts';
import { enduringPods } from './support/enduring.ts';
import { eventually } from './support/eventually.ts';
import { namedNamespace } from './support/namespace.ts';
import { installTrunnion, startOperator } from './support/operator.ts';
import { distributedTrainingType, TrainingUnderTest } from './support/training.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

interface Example {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: unknown;
}

const read = async (file: string): Promise<Example> => parse(await readFile(file, 'utf8')) as Example;

/** The namespace that a file names, under the restricted standard, with an operator. */
async function setUp(namespace: string): Promise<void> {
  await namedNamespace(admin, namespace, { 'pod-security.kubernetes.io/enforce': 'restricted' });
  await startOperator(admin, namespace);
}

/** What is left of a resource's children. */
const leftovers = async (namespace: string): Promise<string> =>
  kubectl(
    'get',
    'all,cm,sa,netpol,pdb,hpa,ing',
    '-n',
    namespace,
    '-l',
    'app.kubernetes.io/managed-by=trunnion',
    '-o',
    'name',
  );

describe('the whole life of the example that has most of what there is, as kubectl leads it,', () => {
  it('of an AgentService', async () => {
    const file = 'examples/full/agent-service.yaml';
    const { metadata } = await read(file);
    const { namespace, name } = metadata;
    await setUp(namespace);
    const agent = new AgentUnderTest(admin, namespace, name);

    await kubectl('apply', '-f', file);
    await agent.hasCondition('ResolvedRefs', 'False', 'ReferenceMissing', /Secret openai/);
    await agent.hasCondition('ScalingActive', 'False', 'KedaNotInstalled');
    const { status } = await agent.reaches('Running');
    expect(status).toMatchObject({ url: 'http://support-agent.agents.svc', readyReplicas: 1 });
    await agent.hasCondition('EgressEnforced', 'True', 'Enforced');
    const config = { namespace, name: `${name}-config` };
    expect((await admin.get(TYPES.configMap, config))['data']).toEqual({
      MODEL_NAME: 'gpt-4o',
      TEMPERATURE: '0.5',
      MAX_TOKENS: '2048',
      TOOLS: 'knowledge-base-search,ticket-creator,calendar-lookup',
      MCP_SERVERS: '[{"name":"tickets","url":"http://tickets.agents.svc:8080/mcp"}]',
    });
    expect((await admin.get(TYPES.service, metadata))['spec']).toMatchObject({
      ports: [{ port: 80, targetPort: 'http' }],
    });
    expect(await kubectl('get', 'ags', '-n', namespace)).toMatch(/support-agent +Running +/);

    const patch = { spec: { temperature: 0.1 } };
    await kubectl('patch', 'ags', name, '-n', namespace, '--type=merge', '-p', JSON.stringify(patch));
    await agent.reaches('Running');
    expect((await admin.get(TYPES.configMap, config))['data']).toMatchObject({ TEMPERATURE: '0.1' });

    await kubectl('delete', '-f', file);
    await eventually(async () => expect(await leftovers(namespace)).toBe(''), { timeout: 60_000 });
    expect(await admin.find(agentServiceType, metadata)).toBeUndefined();
  });

  it('of a DistributedTraining', async () => {
    const file = 'examples/full/distributed-training.yaml';
    const { metadata, spec } = await read(file);
    expect(spec).toEqual(resnet);
    const { namespace, name } = metadata;
    await setUp(namespace);
    await enduringPods(admin, namespace);
    const training = new TrainingUnderTest(admin, namespace, name);

    await kubectl('apply', '-f', file);
    await training.shows(({ status }) =>
      expect(status).toMatchObject({ phase: 'Running', replicas: 4, readyReplicas: 4, attempt: 1 }),
    );
    expect(await kubectl('get', 'dtr', '-n', namespace)).toMatch(/resnet +Running +/);
    await kubectl('scale', 'dtr', name, '-n', namespace, '--replicas=6');
    await training.shows(({ status }) =>
      expect(status).toMatchObject({ phase: 'Running', readyReplicas: 6, attempt: 1 }),
    );

    const suspend = (value: boolean) =>
      kubectl(
        'patch',
        'dtr',
        name,
        '-n',
        namespace,
        '--type=merge',
        '-p',
        JSON.stringify({ spec: { suspend: value } }),
      );
    await suspend(true);
    await training.reaches('Suspended');
    await suspend(false);
    await training.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', attempt: 2, failures: 0 }));

    await training.simulate(1, { fail: '1' });
    await training.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', attempt: 3, failures: 1 }));

    await training.finish();
    await kubectl('wait', 'dtr', name, '-n', namespace, '--for=condition=Complete', '--timeout=60s');
    const { status } = await training.reaches('Completed');
    expect(status?.attempts).toMatchObject([
      { reason: 'Suspended' },
      { reason: 'ProgramFailed', rank: 1, exitCode: 1 },
    ]);

    await kubectl('delete', '-f', file);
    await eventually(async () => expect(await leftovers(namespace)).toBe(''), { timeout: 60_000 });
    expect(await admin.find(distributedTrainingType, metadata)).toBeUndefined();
  });
});
