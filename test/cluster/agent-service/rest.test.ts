import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest, agentSpec } from '../support/agent.ts';
import { mark } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { operatorWrites, rest } from '../support/writes.ts';

const admin = adminClient();
/** Longer than the interval at which Secrets and policies are looked at. */
const REST_MS = 65_000;

beforeAll(() => installTrunnion(admin));

describe('what the operator writes for an AgentService', () => {
  it('is each child once, its status transitions and their events, and nothing at rest or after a restart', async () => {
    const namespace = await testNamespace(admin);
    const operator = await startOperator(admin, namespace);
    const agent = new AgentUnderTest(admin, namespace);
    const began = mark();
    await agent.apply({ ...agentSpec, replicas: 2 });
    await agent.reaches('Running');
    await rest(admin);
    const writes = await operatorWrites(admin, began);
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
    expect(await operatorWrites(admin, resting)).toEqual([]);
    await operator.stop();
    const restarted = mark();
    await startOperator(admin, namespace);
    await sleep(5_000);
    expect(await operatorWrites(admin, restarted)).toEqual([]);
  }, 180_000);
});
