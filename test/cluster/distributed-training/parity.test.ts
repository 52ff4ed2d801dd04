import { App, Chart } from 'cdk8s';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DistributedTraining } from '../../../constructs/distributed-training/distributed-training.ts';
import type { DistributedTrainingSpecInput } from '../../../constructs/distributed-training/spec.ts';
import type { Manifest } from '../../../constructs/index.ts';
import { distributedTraining } from '../../../operator/kinds/distributed-training/index.ts';
import { distributedTrainingArbitrary } from '../../support/arbitrary-distributed-training.ts';
import { permissiveKinds } from '../../support/permissive-kinds.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installPublished } from '../support/other-crds.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { appliedFor, byIdentity } from '../support/parity.ts';
import { simulated, TrainingUnderTest } from '../support/training.ts';
import { installPodGroups } from '../support/volcano.ts';

const admin = adminClient();
const SPECS = 40;

let removeOthers: readonly (() => Promise<void>)[] = [];

beforeAll(async () => {
  await installTrunnion(admin);
  removeOthers = [await installPodGroups(admin), await installPublished(admin, 'CiliumNetworkPolicy')];
});
afterAll(async () => {
  for (const remove of removeOthers) await remove();
});

/** What `cdk8s synth` gives. */
function rendered(name: string, namespace: string, spec: DistributedTrainingSpecInput): readonly Manifest[] {
  const chart = new Chart(new App(), 'parity');
  new DistributedTraining(chart, 'training', { name, namespace, spec });
  return chart.toJson() as Manifest[];
}

/** The same training, whose ranks work for as long as the test looks. */
function enduring(spec: DistributedTrainingSpecInput): DistributedTrainingSpecInput {
  const { metadata, ...rest } = spec.podTemplate ?? {};
  const annotations = { ...metadata?.annotations, ...simulated({ 'delay-seconds': '600' }) };
  return { ...spec, podTemplate: { ...rest, metadata: { ...metadata, annotations } } };
}

it(`what cdk8s renders is, object by object, what the operator applied, for ${SPECS} generated specs`, async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace, { kinds: permissiveKinds });
  const cases = fc.sample(distributedTrainingArbitrary, { numRuns: SPECS, seed: 20_261_121 }).map((spec, index) => ({
    training: new TrainingUnderTest(admin, namespace, `t${index}`),
    spec: enduring(spec),
  }));
  for (const { training, spec } of cases) {
    await training.apply(spec);
    const wanted = byIdentity(rendered(training.name, namespace, spec));
    await eventually(
      async () => {
        const got = await appliedFor(admin, distributedTraining, training);
        expect(got, JSON.stringify((await training.get()).status?.conditions)).toEqual(wanted);
      },
      { timeout: 30_000 },
    );
  }
}, 240_000);
