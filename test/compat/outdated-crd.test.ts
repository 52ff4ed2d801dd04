import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { apply } from '../../cli/kube/apply.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { crds } from '../../stacks/operator/crds.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { setUp, under } from './support/testbed.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

const current = crds(true).find(({ metadata }) => metadata.name === 'modeldeployments.ai.example.com')!;

interface Versions {
  readonly spec: {
    readonly versions: readonly [
      {
        readonly schema: {
          readonly openAPIV3Schema: { readonly properties: { readonly status: { properties: object } } };
        };
      },
    ];
  };
}

/** As an earlier release had it: nothing was remembered in a status. */
function older(): Manifest {
  const crd = structuredClone(current) as Manifest & Versions;
  const { status } = crd.spec.versions[0].schema.openAPIV3Schema.properties;
  status.properties = Object.fromEntries(Object.entries(status.properties).filter(([name]) => name !== 'workload'));
  return crd;
}

/** Puts the older CRD instead of ours until the test ends. */
async function outdated(): Promise<void> {
  onTestFinished(async () => void (await apply(admin, current, 'default')));
  await apply(admin, older(), 'default');
}

/** The resource, and all that is to be told of it where its users look. */
async function begin() {
  const { terminal, namespace } = await setUp(admin);
  await terminal.run('kubectl apply -f modeldeployment.yaml');
  await eventually(async () => {
    const words = await terminal.run('kubectl describe modeldeployment llama-3-8b');
    expect(words).toMatch(/OutdatedCRD .*modeldeployments.ai.example.com is older than this operator/);
    expect(words).toContain('trunnion install');
  });
  return { terminal, model: under(admin, 'ModelDeployment', namespace, 'llama-3-8b'), namespace };
}

describe('with a CRD that is older than the operator', () => {
  it('a ModelDeployment says so, and keeps no other kind from running', async () => {
    await outdated();
    const { terminal, model, namespace } = await begin();
    await terminal.run('kubectl apply -f llm.yaml');
    await under(admin, 'LLMDeployment', namespace, 'chat-service').shows(({ phase }) => expect(phase).toBe('Running'));
    expect(await model.child(TYPES.service)).toBeDefined();
  });

  it('a ModelDeployment continues once the CRD is that of the release', async () => {
    await outdated();
    const { model } = await begin();
    await apply(admin, current, 'default');
    await model.shows(({ phase }) => expect(phase).toBe('Running'));
  });

  it('a ModelDeployment that is deleted is drained, and goes', async () => {
    await outdated();
    const { terminal, model } = await begin();
    // Where nobody serves there is nothing to wait for.
    await eventually(async () => {
      expect(await model.child(TYPES.deployment)).toHaveProperty('status.readyReplicas', expect.any(Number));
    });
    await terminal.run('kubectl delete -f modeldeployment.yaml --wait=false');
    await eventually(async () => expect(await model.child(TYPES.service)).toBeUndefined());
    expect(await model.child(TYPES.deployment)).toBeDefined();
    await model.isGone();
  });
});
