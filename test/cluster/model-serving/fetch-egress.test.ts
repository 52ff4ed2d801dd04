import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { mark } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { held } from '../support/held.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';
import { simulated } from '../support/training.ts';
import { operatorWrites } from '../support/writes.ts';

const admin = adminClient();
/** A server that fetches by itself. */
const single = { ...servingSpec, storage: { size: '10Gi' } };

beforeAll(() => installTrunnion(admin));

const policyOf = ({ namespace, name }: ServingUnderTest): Promise<KubeObject | undefined> =>
  admin.find(TYPES.networkPolicy, { namespace, name: `${name}-fetch` });

async function isOpen(serving: ServingUnderTest): Promise<boolean> {
  const { egress } = ((await policyOf(serving))?.['spec'] ?? {}) as { readonly egress?: readonly object[] };
  return egress !== undefined;
}

const serversOf = ({ namespace }: ServingUnderTest) => ({
  namespace,
  labelSelector: 'app.kubernetes.io/component=server',
});

const podsOf = async (serving: ServingUnderTest): Promise<readonly string[]> =>
  (await admin.list(TYPES.pod, serversOf(serving))).items.map(({ metadata }) => metadata.uid);

const deletePods = async (serving: ServingUnderTest): Promise<void> => {
  for (const { metadata } of (await admin.list(TYPES.pod, serversOf(serving))).items)
    await admin.delete(TYPES.pod, metadata);
};

const policyWrites = async (from: number) =>
  (await operatorWrites(admin, from)).filter(
    ({ resource, name }) => resource === 'networkpolicies' && name === 'llama-fetch',
  );

describe("what a server's own fetch needs", () => {
  it('is open before its pod is there, closed once the weights are, and neither restarts a pod', async () => {
    const namespace = await testNamespace(admin);
    await startOperator(admin, namespace);
    const serving = new ServingUnderTest(admin, namespace);
    const slow = simulated({ 'delay-seconds': '3' });
    await held(admin, { ...serversOf(serving), pods: 1 }, slow, async () => {
      await serving.apply(single);
      await eventually(async () => expect(await podsOf(serving)).toHaveLength(1));
      expect(await isOpen(serving)).toBe(true);
    });
    await eventually(async () => expect((await serving.get()).status?.phase).toBe('Downloading'));
    expect(await isOpen(serving)).toBe(true);
    const [pod] = await podsOf(serving);
    await serving.reaches('Running');
    await eventually(async () => expect(await isOpen(serving)).toBe(false));
    expect(await podsOf(serving)).toEqual([pod]);
  });

  it('stays closed for a pod that finds the weights, opens for one that does not, and closes behind it', async () => {
    const namespace = await testNamespace(admin);
    let operator = await startOperator(admin, namespace);
    const serving = new ServingUnderTest(admin, namespace);
    await serving.apply(single);
    await serving.reaches('Running');
    await eventually(async () => expect(await isOpen(serving)).toBe(false));

    const quiet = mark();
    const before = await podsOf(serving);
    await deletePods(serving);
    await eventually(async () => expect(await podsOf(serving)).not.toEqual(expect.arrayContaining([...before])));
    await serving.reaches('Running');
    await operator.stop();
    operator = await startOperator(admin, namespace);
    await sleep(2_000);
    expect(await policyWrites(quiet)).toEqual([]);

    const failing = simulated({ container: 'fetch', fail: '1' });
    await held(admin, { ...serversOf(serving), pods: 1 }, failing, () => deletePods(serving));
    await eventually(async () => expect(await isOpen(serving)).toBe(true));
    // Anyone who comes next decides the same.
    await operator.stop();
    await startOperator(admin, namespace);
    await sleep(2_000);
    expect(await isOpen(serving)).toBe(true);
    const mended = Object.fromEntries(Object.keys(failing).map((key) => [key, null]));
    for (const { metadata } of (await admin.list(TYPES.pod, serversOf(serving))).items)
      await admin.patch(TYPES.pod, metadata, { metadata: { annotations: mended } });
    await eventually(async () => expect(await isOpen(serving)).toBe(false), { timeout: 60_000 });
    await serving.reaches('Running');
  });
});
