import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest, agentSpec } from '../support/agent.ts';
import { mark, type Mark, type Mutation, mutationsSince } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, OPERATOR_USER, startOperator } from '../support/operator.ts';

const admin = adminClient();
/** Longer than the interval at which Secrets and policies are looked at. */
const REST_MS = 65_000;

beforeAll(() => installTrunnion(admin));

async function operatorWrites(from: Mark): Promise<readonly Mutation[]> {
  return (await mutationsSince(admin, from)).filter(({ user }) => user === OPERATOR_USER);
}

describe('what the operator writes for an AgentService', () => {
  it('is each child once, its status transitions and their events, and nothing at rest or after a restart', async () => {
    const namespace = await testNamespace(admin);
    const operator = await startOperator(admin, namespace);
    const agent = new AgentUnderTest(admin, namespace);
    const began = mark();
    await agent.apply({ ...agentSpec, replicas: 2 });
    await agent.reaches('Running');
    await sleep(2_000);
    const writes = await operatorWrites(began);
    const of = (pattern: RegExp) => writes.filter(({ resource }) => pattern.test(resource));
    expect(of(/^agentservices/).length).toBeLessThanOrEqual(3);
    // Scaling and Running, where the second pod is ready a good while after the first; Running alone otherwise.
    expect(of(/^events/).length).toBeLessThanOrEqual(2);
    const children = writes.filter(({ resource }) => !/^(agentservices|events)/.test(resource));
    expect(children.map(({ resource }) => resource).toSorted()).toEqual([
      'configmaps',
      'deployments',
      'networkpolicies',
      'poddisruptionbudgets',
      'serviceaccounts',
      'services',
    ]);

    const resting = mark();
    await sleep(REST_MS);
    expect(await operatorWrites(resting)).toEqual([]);
    await operator.stop();
    const restarted = mark();
    await startOperator(admin, namespace);
    await sleep(5_000);
    expect(await operatorWrites(restarted)).toEqual([]);
  }, 180_000);
});
