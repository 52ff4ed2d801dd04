import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { modelServing } from '../../constructs/model-serving/kind.ts';
import { canonicalQuantity } from '../../constructs/parts/quantity.ts';
import { crdOf } from '../../constructs/schema/crd.ts';
import { SpecError, type Problem } from '../../constructs/schema/error.ts';
import { parseSpec } from '../../constructs/schema/parse.ts';
import { ApiError, type KubeObject } from '../../operator/kube/index.ts';
import { accepted } from '../examples/model-serving/accepted.ts';
import type { AcceptedExample, RefusedExample } from '../examples/model-serving/example.ts';
import { refused } from '../examples/model-serving/refused.ts';
import { modelServingArbitrary, resourceName } from '../support/arbitrary-model-serving.ts';
import { adminClient } from './support/client.ts';
import { eventually } from './support/eventually.ts';
import { types } from './support/types.ts';

const type = { group: 'trunnion.dev', version: 'v1alpha1', kind: 'ModelServing', plural: 'modelservings' };
const admin = adminClient();

beforeAll(async () => {
  await admin.apply(types.customResourceDefinition, crdOf(modelServing), { fieldManager: 'test', force: true });
  await eventually(() => admin.list(type, { namespace: 'default' }));
});

/** Has the API server judge a resource, without keeping it; an example with an earlier spec is judged as a change. */
async function judge({ name = 'llama', spec, old }: AcceptedExample | RefusedExample): Promise<KubeObject> {
  const resource = (of: unknown) => ({
    apiVersion: 'trunnion.dev/v1alpha1',
    kind: 'ModelServing',
    metadata: { name, namespace: 'default' },
    spec: of,
  });
  const path = '/apis/trunnion.dev/v1alpha1/namespaces/default/modelservings';
  const query = { dryRun: 'All', fieldValidation: 'Strict' };
  if (old === undefined) return (await admin.raw('POST', path, { query, body: resource(spec) })) as KubeObject;
  const { metadata } = await admin.create(type, resource(old));
  try {
    return (await admin.raw('PUT', `${path}/${name}`, { query, body: { ...resource(spec), metadata } })) as KubeObject;
  } finally {
    await admin.delete(type, metadata);
  }
}

async function refusalOf(example: RefusedExample): Promise<ApiError> {
  try {
    await judge(example);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return expect.unreachable('the API server must refuse it');
}

function problemsOf({ name = 'llama', spec, old }: RefusedExample): readonly Problem[] {
  try {
    const given = { spec: spec as AcceptedExample['spec'], ...(old && { old }) };
    parseSpec(modelServing, { name, namespace: 'default', host: 'operator', ...given });
  } catch (error) {
    if (error instanceof SpecError) return error.problems;
    throw error;
  }
  return expect.unreachable('parseSpec must refuse it');
}

describe('the API server', () => {
  test.each(accepted)('accepts $title', async (example) => {
    await judge(example);
  });

  test.each(refused)('refuses $title in the words of parseSpec', async (example) => {
    const problems = problemsOf(example);
    const { details, message } = await refusalOf(example);
    // A field that it doesn't know it refuses before it looks at anything else.
    const unknown = problems.filter((problem) => problem.message.startsWith('unknown field'));
    if (unknown.length > 0) {
      for (const problem of unknown) expect(message).toContain(problem.message.split(';', 1)[0]);
      return;
    }
    // The root's own cause only says that rules were left out, since the structure is wrong.
    const causes = (details.causes ?? []).filter(({ field }) => field !== '<nil>');
    for (const { field, message: said = '' } of causes) {
      const same = problems.some((problem) => problem.path === field && said.endsWith(problem.message));
      expect(same, `parseSpec must say of ${field}: ${said}`).toBe(true);
    }
    if (causes.length === details.causes?.length) expect(causes).toHaveLength(problems.length);
  });

  test('gives a spec the defaults that parseSpec gives it', async () => {
    await fc.assert(
      fc.asyncProperty(resourceName, modelServingArbitrary, async (name, spec) => {
        const { spec: stored } = await judge({ title: '', name, spec });
        expect(stored).toEqual(parseSpec(modelServing, { name, namespace: 'default', spec, host: 'operator' }));
      }),
      { numRuns: 60 },
    );
  });

  test.each(['0.5', '2000m', '1024Mi', '1.5Gi', '0.5Ki', '1.0001Ki', '1e3', '12e5', '1000000Ki', '100000000n'])(
    'writes %s as canonicalQuantity does',
    async (amount) => {
      const spec = { limits: [{ type: 'Container', max: { memory: amount } }] };
      const metadata = { name: 'quantity', namespace: 'default' };
      const limitRange = { group: '', version: 'v1', kind: 'LimitRange', plural: 'limitranges' };
      const body = { apiVersion: 'v1', kind: 'LimitRange', metadata, spec };
      const stored = await admin.create(limitRange, body, { dryRun: true });
      expect(stored).toMatchObject({ spec: { limits: [{ max: { memory: canonicalQuantity(amount) } }] } });
    },
  );
});
