import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { COMPAT_SCHEMAS } from '../../compat/kinds/schemas.ts';
import { OPERATOR_NAME } from '../../operator/rbac.ts';
import { writeRoot } from '../../scripts/image/root.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { Scenarios } from '../install/support/scenarios.ts';
import { OperatorProcess } from '../support/operator-process.ts';
import { adminClient, serviceAccountToken } from './support/client.ts';
import { cluster } from './support/cluster.ts';
import { eventually } from './support/eventually.ts';
import { testNamespace } from './support/namespace.ts';
import { installTrunnion } from './support/operator.ts';
import { ResourceUnderTest } from './support/resource.ts';
import { accuracyOf, finishTrials, searchSpec } from './support/search.ts';
import { TrainingUnderTest } from './support/training.ts';

const admin = adminClient();
/** Outside of the repository: no module is found here but those of the image. */
const root = mkdtempSync(join(tmpdir(), 'trunnion-root-'));

/** Beyond the trials that are spread evenly, by what these have shown. */
const TRIALS = 8;

const aiAgent = COMPAT_SCHEMAS.find(({ kind }) => kind === 'AIAgent');

beforeAll(async () => {
  await Promise.all([writeRoot(root), installTrunnion(admin, { compat: true })]);
});

// Other files of this control plane know nothing of earlier operators.
afterAll(async () => {
  for (const { plural, group } of COMPAT_SCHEMAS)
    await admin.delete(TYPES.customResourceDefinition, { name: `${plural}.${group}` });
  await installTrunnion(admin);
  // Who finds a Lease takes an operator for one that works, or did.
  await admin.delete(TYPES.lease, { namespace: OPERATOR_NAMESPACE, name: OPERATOR_NAME });
  await admin.close();
  rmSync(root, { recursive: true });
});

/** The image's program as the ServiceAccount that ships, with nothing of this machine but its address. */
async function startImage(): Promise<OperatorProcess> {
  const { url, ca } = cluster();
  const token = await serviceAccountToken(admin, OPERATOR_NAMESPACE, OPERATOR_NAME);
  const env = { POD_NAMESPACE: OPERATOR_NAMESPACE, TRUNNION_TEST_POD_LOOPBACK: 'true' };
  const operator = await OperatorProcess.start({ url, ca, token, root, env, args: ['--leader-elect'] });
  await operator.ready();
  return operator;
}

/** Leads a search to its end, by what its assignments come to. */
async function endOf(search: TrainingUnderTest): Promise<void> {
  const { status } = await eventually(
    async () => {
      await finishTrials(admin, search.namespace);
      const seen = await search.get();
      expect(seen.status?.phase, JSON.stringify(seen.status?.conditions)).toBe('Completed');
      return seen;
    },
    { timeout: 150_000 },
  );
  const { trials = [] } = status?.tuning ?? {};
  expect(trials).toHaveLength(TRIALS);
  for (const { value, assignments } of trials) expect(value).toBeCloseTo(accuracyOf(assignments), 6);
}

test('the operator of the image leads all kinds, one of an earlier operator and a search through their lives', async () => {
  await using operator = await startImage();
  const [namespace, searches] = [await testNamespace(admin), await testNamespace(admin)];
  const scenarios = new Scenarios(admin, namespace);
  await scenarios.begin();

  if (aiAgent === undefined) throw new Error('nobody runs an AIAgent');
  const { group, kind, plural } = aiAgent;
  const earlier = new ResourceUnderTest(admin, { group, kind, plural, version: 'v1alpha1' }, namespace, 'earlier');
  await earlier.apply({ image: 'registry.example.com/agent:1', model: 'gpt-4o', replicas: 1 });
  await eventually(async () => {
    const deployment = await admin.get(TYPES.deployment, { namespace, name: 'earlier' });
    expect(deployment['status']).toMatchObject({ readyReplicas: 1 });
  });

  const search = new TrainingUnderTest(admin, searches, 'search');
  await search.apply({ ...searchSpec, tuning: { ...searchSpec.tuning, maxTrials: TRIALS, parallelTrials: 2 } });
  await endOf(search);
  await earlier.delete();
  await scenarios.end();

  const failures = operator.log.filter(({ level }) => level === 'error');
  expect(failures).toEqual([]);
  operator.signal('SIGTERM');
  expect(await operator.ended).toMatchObject({ code: 0 });
}, 400_000);
