import { App, Chart } from 'cdk8s';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Manifest, ModelServing } from '../../../constructs/index.ts';
import { modelServing } from '../../../operator/kinds/model-serving/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { modelServingArbitrary } from '../../support/arbitrary-model-serving.ts';
import { permissiveKinds } from '../../support/permissive-kinds.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { installExtensions } from '../support/other-crds.ts';
import { appliedFor, byIdentity } from '../support/parity.ts';
import { completeFetch, ServingUnderTest } from '../support/serving.ts';

const admin = adminClient();
const SPECS = 40;
let removeCrds: () => Promise<void>;

beforeAll(async () => {
  await installTrunnion(admin);
  removeCrds = await installExtensions(admin);
});
afterAll(() => removeCrds());

/** What `cdk8s synth` gives. */
function rendered(
  name: string,
  namespace: string,
  spec: Parameters<ServingUnderTest['apply']>[0],
): readonly Manifest[] {
  const chart = new Chart(new App(), 'parity');
  new ModelServing(chart, 'serving', { name, namespace, spec });
  return chart.toJson() as Manifest[];
}

/** The operator closes what a server's own fetch needs once the weights are there; in a static host nobody does. */
const withClosedFetch = (manifests: readonly Manifest[], name: string): readonly Manifest[] =>
  manifests.map((manifest) => {
    if (manifest.kind !== 'NetworkPolicy' || manifest.metadata.name !== `${name}-fetch`) return manifest;
    const { egress: _, ...spec } = manifest['spec'] as { readonly egress?: unknown };
    return { ...manifest, spec };
  });

/** Completes every fetch: many of the generated specs ask for what this cluster doesn't have. */
async function completeFetches(namespace: string): Promise<void> {
  for (const job of (await admin.list(TYPES.job, { namespace })).items) await completeFetch(admin, job);
}

it(`what cdk8s renders is, object by object, what the operator applied, for ${SPECS} generated specs`, async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace, { kinds: permissiveKinds });
  const specs = fc.sample(modelServingArbitrary, { numRuns: SPECS, seed: 20_261_121 });
  const cases = specs.map((spec, index) => ({ serving: new ServingUnderTest(admin, namespace, `m${index}`), spec }));
  await Promise.all(cases.map(({ serving, spec }) => serving.apply(spec)));
  for (const { serving, spec } of cases) {
    const manifests = rendered(serving.name, namespace, spec);
    await eventually(
      async () => {
        await completeFetches(namespace);
        const got = await appliedFor(admin, modelServing, serving);
        const { status } = await serving.get();
        const isFetched = status?.weights?.claimUID !== undefined;
        const wanted = byIdentity(isFetched ? withClosedFetch(manifests, serving.name) : manifests);
        expect(got, JSON.stringify(status?.conditions)).toEqual(wanted);
      },
      { timeout: 30_000 },
    );
  }
}, 240_000);
