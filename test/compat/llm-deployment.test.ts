import { beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../operator/kube/client/types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { setUp, under } from './support/testbed.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

const running = (replicas: number) => (status: object) =>
  expect(status).toMatchObject({ phase: 'Running', replicas, readyReplicas: replicas });

const imageOf = (deployment: KubeObject | undefined): string => JSON.stringify(deployment?.['spec']);

describe('the users of LLMModel and LLMDeployment', () => {
  it('apply them as they are, and find their Deployment and their Service behind its port', async () => {
    const { terminal, namespace } = await setUp(admin);
    await terminal.run('kubectl apply -f llm.yaml');
    await under(admin, 'LLMDeployment', namespace, 'chat-service').shows(running(2));
    expect(await terminal.run('kubectl get llmmodels')).toContain('gpt-small');
    expect(await terminal.run('kubectl get llmdeployments')).toMatch(/chat-service +gpt-small +2 +2 +Running/);
    expect(await terminal.run('kubectl get deployments')).toMatch(/chat-service +2\/2/);
    expect(await terminal.run('kubectl get services')).toMatch(/chat-service .*8080\/TCP/);
  });

  it('may apply the LLMDeployment first, which says what it waits for', async () => {
    const { terminal, namespace } = await setUp(admin);
    await terminal.run("sed -n '/^---/,$p' llm.yaml > deployment.yaml && sed '/^---/,$d' llm.yaml > model.yaml");
    await terminal.run('kubectl apply -f deployment.yaml');
    const chat = under(admin, 'LLMDeployment', namespace, 'chat-service');
    await chat.shows((status) => {
      expect(status['phase']).toBe('Pending');
      expect(JSON.stringify(status['conditions'])).toContain('There is no LLMModel gpt-small');
    });
    await terminal.run('kubectl apply -f model.yaml');
    await chat.shows(running(2));
  });

  it('change an LLMModel, and all LLMDeployments that refer to it follow', async () => {
    const { terminal, namespace } = await setUp(admin);
    await terminal.run('kubectl apply -f llm.yaml');
    await terminal.run("sed '1,/^---/d; s/chat-service/other-service/' llm.yaml | kubectl apply -f -");
    const both = ['chat-service', 'other-service'].map((name) => under(admin, 'LLMDeployment', namespace, name));
    for (const each of both) await each.shows(running(2));
    await terminal.run(
      `kubectl patch llmmodel gpt-small --type merge -p '{"spec":{"image":"your-registry/gpt-small:v2"}}'`,
    );
    for (const each of both) {
      await each.shows((status) => expect(status).toMatchObject({ model: { image: 'your-registry/gpt-small:v2' } }));
      await each.shows(running(2));
      expect(imageOf(await each.child(TYPES.deployment))).toContain('gpt-small:v2');
    }

    // One that is gone stops nothing.
    await terminal.run('kubectl delete llmmodel gpt-small');
    await both[0]!.shows((status) => expect(JSON.stringify(status)).toContain('The pods continue with it as it was.'));
    await terminal.run('kubectl scale llmdeployment chat-service --replicas=3');
    await both[0]!.shows(running(3));
    await terminal.run('kubectl delete llmdeployment chat-service other-service');
    for (const each of both) await each.isGone();
  });
});
