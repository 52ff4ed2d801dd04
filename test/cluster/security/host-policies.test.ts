import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { AgentUnderTest } from '../support/agent.ts';
import { adminClient } from '../support/client.ts';
import { COLLECTED, eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { installPublished } from '../support/other-crds.ts';
import { agent } from './support/policies.ts';

const admin = adminClient();
const reaching = { ...agent, egress: [{ hosts: ['api.openai.com'], ports: [443] }] };

beforeAll(() => installTrunnion(admin));

/** An agent that runs and reaches a host by name, in a cluster with Cilium's CRD. */
async function setUp() {
  const remove = await installPublished(admin, 'CiliumNetworkPolicy');
  onTestFinished(remove);
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace, { recheckMs: 1_000 });
  const resource = new AgentUnderTest(admin, namespace);
  await resource.apply(reaching);
  await resource.reaches('Running');
  const policy = (): Promise<KubeObject | undefined> => admin.find(TYPES.ciliumNetworkPolicy, resource);
  const pods = async (): Promise<readonly KubeObject[]> => (await admin.list(TYPES.pod, { namespace })).items;
  await resource.hasCondition('EgressEnforced', 'True', 'Enforced', /opens the hosts/);
  return { resource, policy, pods };
}

describe('the CiliumNetworkPolicy of an agent', () => {
  it('is enforced until the last pod of the deleted agent has stopped, and goes then', async () => {
    const { resource, policy, pods } = await setUp();
    await resource.delete();
    await eventually(async () => expect((await policy())?.metadata.deletionTimestamp).toBeDefined(), COLLECTED);
    await eventually(async () => {
      // In this order: a policy that is gone after a look at the pods says nothing of these.
      const isThere = (await policy()) !== undefined;
      const left = await pods();
      if (left.length > 0) expect(isThere).toBe(true);
      expect({ isThere, left: left.length }).toEqual({ isThere: false, left: 0 });
    }, COLLECTED);
  });

  it('goes at once where the spec takes its hosts back, while its pods run on', async () => {
    const { resource, policy, pods } = await setUp();
    const before = (await pods()).map(({ metadata }) => metadata.uid);
    await resource.apply(agent);
    await eventually(async () => expect(await policy()).toBeUndefined());
    expect((await pods()).map(({ metadata }) => metadata.uid)).toEqual(before);
    await resource.reaches('Running');
  });

  it('that somebody deletes stays as long as its pods may run, and follows the spec', async () => {
    const { resource, policy } = await setUp();
    await admin.delete(TYPES.ciliumNetworkPolicy, resource);
    await resource.apply({ ...reaching, egress: [{ hosts: ['api.example.com'], ports: [443] }] });
    await eventually(async () => expect(JSON.stringify((await policy())?.['spec'])).toContain('api.example.com'));
    expect((await policy())?.metadata.deletionTimestamp).toBeDefined();
    await resource.hasCondition('EgressEnforced', 'True', 'Enforced');
  });

  it('holds up neither the CRD of Cilium that is removed, nor the agent', async () => {
    const { resource, policy, pods } = await setUp();
    const before = (await pods()).map(({ metadata }) => metadata.uid);
    const crd = { name: 'ciliumnetworkpolicies.cilium.io' };
    await admin.delete(TYPES.customResourceDefinition, crd);
    await eventually(async () => {
      expect(await admin.find(TYPES.customResourceDefinition, crd)).toBeUndefined();
      expect(await policy()).toBeUndefined();
    });
    // Which types there are is asked once a minute.
    await resource.shows(({ status }) => {
      const enforced = status?.conditions?.find(({ type }) => type === 'EgressEnforced');
      expect(enforced).toMatchObject({ status: 'False', reason: 'CiliumNotInstalled' });
    }, 150_000);
    expect((await pods()).map(({ metadata }) => metadata.uid)).toEqual(before);
    await resource.delete();
    await eventually(async () => expect(await pods()).toEqual([]), COLLECTED);
  }, 240_000);
});
