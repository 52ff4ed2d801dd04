import { App, Chart } from 'cdk8s';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Manifest, ModelServing } from '../../../constructs/index.ts';
import { modelServing } from '../../../operator/kinds/model-serving/index.ts';
import { extract } from '../../../operator/kube/owned-fields.ts';
import { apiVersionOf, type KubeObject } from '../../../operator/kube/types.ts';
import { modelServingArbitrary } from '../../support/arbitrary-model-serving.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { installPublished } from '../support/other-crds.ts';
import { ServingUnderTest } from '../support/serving.ts';
import { types } from '../support/types.ts';

const admin = adminClient();
const SPECS = 40;
const MANAGED = 'app.kubernetes.io/managed-by';
let removeCrds: () => Promise<void>;

beforeAll(async () => {
  await installTrunnion(admin);
  removeCrds = await installPublished(admin, 'ScaledObject', 'HTTPRoute');
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

/** What the operator applied: the fields that its manager owns, with what names the object; without what only the operator adds. */
function applied(live: KubeObject): Manifest {
  const owned = extract(live, 'trunnion') as {
    metadata?: { labels?: Record<string, string>; ownerReferences?: unknown };
  };
  const { labels = {}, ownerReferences: _, ...metadata } = owned.metadata ?? {};
  const { [MANAGED]: __, ...others } = labels;
  const {
    apiVersion,
    kind,
    metadata: { name, namespace = '' },
  } = live;
  return { ...owned, apiVersion, kind, metadata: { ...metadata, name, namespace, labels: others } };
}

/** The server doesn't keep what is empty: to it, no list or map and an empty one are the same. */
function withoutEmpty<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutEmpty) as T;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => !isEmpty(inner));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutEmpty(inner)])) as T;
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const identity = ({ kind, metadata }: Pick<Manifest, 'kind' | 'metadata'>): string => `${kind}/${metadata.name}`;
const byIdentity = (manifests: readonly Manifest[]): Readonly<Record<string, Manifest>> =>
  Object.fromEntries(manifests.map((manifest) => [identity(manifest), withoutEmpty(manifest)]));

async function live(namespace: string, name: string): Promise<readonly KubeObject[]> {
  const labelSelector = `${MANAGED}=trunnion,app.kubernetes.io/instance=${name}`;
  const lists = await Promise.all(
    modelServing.childTypes.map(async (type) =>
      (await admin.list(type, { namespace, labelSelector })).items.map((item) => ({
        ...item,
        apiVersion: apiVersionOf(type),
        kind: type.kind,
      })),
    ),
  );
  return lists.flat();
}

/**
 * Completes every fetch, as the Job controller would: many of the generated specs ask for storage, nodes or classes that
 * this cluster doesn't have, and their servers wait for their weights.
 */
async function completeJobs(namespace: string): Promise<void> {
  for (const job of (await admin.list(types.job, { namespace })).items) {
    const { startTime, completionTime } = (job['status'] ?? {}) as { startTime?: string; completionTime?: string };
    if (startTime === undefined || completionTime !== undefined) continue;
    const done = {
      status: 'True',
      reason: 'CompletionsReached',
      message: '',
      lastProbeTime: startTime,
      lastTransitionTime: startTime,
    };
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, ...done }));
    const status = { completionTime: startTime, succeeded: 1, active: 0, ready: 0, terminating: 0, conditions };
    await admin.patch(types.job, job.metadata, { status }, { subresource: 'status' });
  }
}

it(`what cdk8s renders is, object by object, what the operator applied, for ${SPECS} generated specs`, async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const specs = fc.sample(modelServingArbitrary, { numRuns: SPECS, seed: 20_261_121 });
  const cases = specs.map((spec, index) => ({ serving: new ServingUnderTest(admin, namespace, `m${index}`), spec }));
  await Promise.all(cases.map(({ serving, spec }) => serving.apply(spec)));
  for (const { serving, spec } of cases) {
    const wanted = byIdentity(rendered(serving.name, namespace, spec));
    await eventually(
      async () => {
        await completeJobs(namespace);
        const got = byIdentity((await live(namespace, serving.name)).map(applied));
        expect(got, JSON.stringify((await serving.get()).status?.conditions)).toEqual(wanted);
      },
      { timeout: 30_000 },
    );
  }
}, 240_000);
