import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { ModelServingSpecInput } from '../../constructs/index.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { isNotFound } from '../../operator/kube/client/errors.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { modelServingType, ServingUnderTest } from '../cluster/support/serving.ts';
import { startBundledOperator } from './support/bundled.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const MEBIBYTE = 2 ** 20;

/** The memory limit of the operator's container, in MiB. */
const LIMIT_MIB = 512;
const PODS = 90;
/** How long the attack is watched, in milliseconds. */
const ATTACK_MS = 20_000;

const small = {
  model: { uri: 'pvc://shared/llama' },
  engine: { type: 'vllm' },
  resources: { gpu: 0, cpu: '10m' },
  replicas: 0,
} satisfies ModelServingSpecInput;

/** As many references as a spec may have. */
const referring = (name: string): ModelServingSpecInput => {
  const variables = (of: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      name: `${of}${index}`,
      valueFrom: { secretKeyRef: { name: `${name}-${of.toLowerCase()}-${index}`, key: 'k' } },
    }));
  return {
    ...small,
    engine: { ...small.engine, env: variables('E', 64) },
    env: variables('A', 64),
    imagePullSecrets: Array.from({ length: 16 }, (_, index) => ({ name: `${name}-pull-${index}` })),
    podTemplate: {
      spec: {
        containers: [
          { name: 'one', image: 'a:1', env: variables('O', 64) },
          { name: 'two', image: 'a:1', env: variables('T', 64) },
        ],
      },
    },
  };
};

/** What plays the metrics ports of all simulated pods: it sends 8 MiB, and holds on. */
async function hostileMetrics(): Promise<{ readonly port: number; readonly asked: () => number }> {
  let asked = 0;
  const piece = Buffer.from(`other{a="${'b'.repeat(1_000)}"} 1\n`.repeat(MEBIBYTE / 1_000));
  const server = createServer((_request, response) => {
    asked += 1;
    for (let count = 0; count < 8; count += 1) response.write(piece);
  });
  await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked: () => asked };
}

async function sharedClaim(namespace: string): Promise<void> {
  await admin.create(TYPES.persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'shared', namespace },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  });
}

/** Later tests of this part need not wait for its drain. */
const releaseAll = async (client: KubeClient, namespace: string): Promise<void> => {
  const { items } = await client.list(modelServingType, { namespace });
  for (const { metadata } of items) {
    await client.delete(modelServingType, metadata);
    await client.patch(modelServingType, metadata, { metadata: { finalizers: null } }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
};

it('the operator as it ships lives through pods that send without an end and resources of very many references', async () => {
  const [theirs, ours] = [await testNamespace(admin), await testNamespace(admin)];
  await Promise.all([sharedClaim(theirs), sharedClaim(ours)]);
  const operator = await startBundledOperator(admin);
  const { port, asked } = await hostileMetrics();
  const hostile = new ServingUnderTest(admin, theirs, 'hostile');
  const victim = new ServingUnderTest(admin, ours);
  const spec = { ...small, engine: { type: 'vllm', port }, replicas: PODS, drain: { timeoutSeconds: 600 } } as const;
  await hostile.apply(spec);
  await victim.apply(small);
  await hostile.shows(({ status }) => expect(status?.readyReplicas).toBe(PODS), 180_000);

  await hostile.apply({ ...spec, retired: true });
  for (let index = 0; index < 10; index += 1) {
    await new ServingUnderTest(admin, theirs, `many-${index}`).apply(referring(`many-${index}`));
  }
  await eventually(() => expect(asked()).toBeGreaterThan(PODS), { timeout: 60_000 });

  const waits = { healthz: 0, victim: 0 };
  const until = performance.now() + ATTACK_MS;
  const healthz = (async () => {
    for (; performance.now() < until; await sleep(100)) {
      const from = performance.now();
      const { ok } = await fetch(`http://127.0.0.1:${operator.port}/healthz`, { signal: AbortSignal.timeout(5_000) });
      expect(ok).toBe(true);
      waits.healthz = Math.max(waits.healthz, performance.now() - from);
    }
  })();
  for (let change = 1; performance.now() < until; change += 1) {
    const from = performance.now();
    await victim.apply({ ...small, env: [{ name: 'CHANGE', value: `${change}` }] });
    await victim.shows(() => undefined);
    waits.victim = Math.max(waits.victim, performance.now() - from);
    await sleep(1_000);
  }
  await healthz;

  expect(operator.isRunning).toBe(true);
  expect(operator.usage().peakMiB).toBeLessThan(LIMIT_MIB);
  expect(waits.healthz).toBeLessThan(1_000);
  expect(waits.victim).toBeLessThan(2_000);
  operator.signal('SIGKILL');
  await operator.ended;
  await releaseAll(admin, theirs);
}, 400_000);
