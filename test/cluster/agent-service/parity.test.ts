import { App, Chart } from 'cdk8s';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AgentService, ModelServing } from '../../../constructs/index.ts';
import type { AgentServiceSpecInput, Manifest } from '../../../constructs/index.ts';
import { agentService } from '../../../operator/kinds/agent-service/index.ts';
import { agentServiceArbitrary } from '../../support/arbitrary-agent-service.ts';
import { permissiveKinds } from '../../support/permissive-kinds.ts';
import { AgentUnderTest, agentSpec } from '../support/agent.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { installExtensions } from '../support/other-crds.ts';
import { appliedFor, byIdentity } from '../support/parity.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';

const admin = adminClient();
const SPECS = 40;
let removeCrds: () => Promise<void>;

beforeAll(async () => {
  await installTrunnion(admin);
  removeCrds = await installExtensions(admin);
});
afterAll(() => removeCrds());

/** What `cdk8s synth` gives for an agent. */
function rendered({ name, namespace }: AgentUnderTest, spec: AgentServiceSpecInput): readonly Manifest[] {
  const chart = new Chart(new App(), 'parity');
  const agent = new AgentService(chart, 'agent', { name, namespace, spec });
  return agent.render().map(({ manifest }) => manifest);
}

it(`what cdk8s renders is, object by object, what the operator applied, for ${SPECS} generated specs`, async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace, { kinds: permissiveKinds });
  const specs = fc.sample(agentServiceArbitrary, { numRuns: SPECS, seed: 20_261_121 });
  const cases = specs.map((spec, index) => ({ agent: new AgentUnderTest(admin, namespace, `a${index}`), spec }));
  await Promise.all(cases.map(({ agent, spec }) => agent.apply(spec)));
  for (const { agent, spec } of cases) {
    const wanted = byIdentity(rendered(agent, spec));
    await eventually(
      async () => {
        const got = await appliedFor(admin, agentService, agent);
        expect(got, JSON.stringify((await agent.get()).status?.conditions)).toEqual(wanted);
      },
      { timeout: 30_000 },
    );
  }
}, 240_000);

it('a ModelServing as model gives what the operator applies for a modelRef', async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace, { kinds: permissiveKinds });
  const { model: _, ...spec } = agentSpec;
  const agent = new AgentUnderTest(admin, namespace);
  await agent.apply({ ...spec, modelRef: { name: 'llama' } });
  await new ServingUnderTest(admin, namespace).apply(servingSpec);
  const chart = new Chart(new App(), 'parity');
  const model = new ModelServing(chart, 'llama', { name: 'llama', namespace, spec: servingSpec });
  const construct = new AgentService(chart, 'agent', { name: agent.name, namespace, spec: { ...spec, model } });
  const wanted = byIdentity(construct.render().map(({ manifest }) => manifest));
  await eventually(async () => expect(await appliedFor(admin, agentService, agent)).toEqual(wanted), {
    timeout: 30_000,
  });
});
