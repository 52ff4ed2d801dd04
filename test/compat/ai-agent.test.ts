import { beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { namedNamespace, setUp, under } from './support/testbed.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

describe('the users of AIAgent', () => {
  it('apply it as it is, get it with its columns, edit any field, scale and delete it', async () => {
    await namedNamespace(admin, 'ai-agents');
    const { terminal } = await setUp(admin);
    const agent = under(admin, 'AIAgent', 'ai-agents', 'support-agent');
    const pods = async () => JSON.stringify((await agent.child(TYPES.deployment))?.['spec']);
    await terminal.run('kubectl apply -f aiagent.yaml');
    await agent.shows((status) => expect(status).toMatchObject({ phase: 'Running', lastUpdated: expect.any(String) }));
    expect(await terminal.run('kubectl get aiagents -n ai-agents')).toMatch(
      /^NAME +MODEL +REPLICAS +PHASE +AGE\nsupport-agent +gpt-4o +3 +Running/,
    );
    expect(await terminal.run('kubectl get aia -n ai-agents')).toContain('support-agent');
    expect(await agent.child(TYPES.configMap, 'support-agent-config')).toMatchObject({
      data: { MODEL_NAME: 'gpt-4o', TEMPERATURE: '0.5', MAX_TOKENS: '2048' },
    });
    expect(await agent.child(TYPES.service, 'support-agent-svc')).toMatchObject({ spec: { ports: [{ port: 80 }] } });
    expect(await agent.child(TYPES.horizontalPodAutoscaler)).toMatchObject({
      spec: { minReplicas: 2, maxReplicas: 15 },
    });
    expect(await pods()).toContain('"aiagent":"support-agent"');

    for (const change of [
      { tools: ['calendar-lookup'] },
      { model: 'gpt-5' },
      { temperature: 1 },
      { maxTokens: 100 },
      { image: 'myregistry/support-agent:3.0.0' },
    ]) {
      const before = await pods();
      await agent.patch(change);
      await agent.shows(({ phase }) => expect(phase).toBe('Running'));
      expect(await pods(), JSON.stringify(change)).not.toBe(before);
    }

    // The autoscaler may choose; nobody takes back what it has.
    await admin.patch(TYPES.deployment, agent, { spec: { replicas: 5 } }, { subresource: 'scale' });
    await agent.shows((status) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 5 }));
    await agent.patch({ autoscaling: { maxReplicas: 10 } });
    await eventually(async () =>
      expect(await agent.child(TYPES.horizontalPodAutoscaler)).toMatchObject({ spec: { maxReplicas: 10 } }),
    );
    await agent.shows((status) => expect(status).toMatchObject({ readyReplicas: 5 }));

    await terminal.run('kubectl delete aia support-agent -n ai-agents');
    await agent.isGone();
  });
});
