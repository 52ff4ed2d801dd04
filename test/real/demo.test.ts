import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { startHub, weights } from '../unit/weights/support/hub.ts';
import { trunnion } from '../support/trunnion.ts';
import { debianImage, LIGHT_WITH_PYTHON } from './images/debian.ts';
import { addressOfMachine } from './support/outside.ts';
import { startTestbed, type Testbed } from './support/testbed.ts';

let testbed: Testbed;

beforeAll(async () => {
  testbed = await startTestbed();
  await testbed.cluster.loadImage(await debianImage(LIGHT_WITH_PYTHON));
});
afterAll(() => testbed.stop());

/** A Hub of this machine with one model, where pods reach it. */
async function hub(): Promise<string> {
  const host = await startHub({
    'config.json': { content: Buffer.from('{}') },
    'model.safetensors': { content: weights(2 ** 20), lfs: true },
  });
  const relay = createServer((pod) => pod.pipe(connect(Number(new URL(host.origin).port), '127.0.0.1')).pipe(pod));
  relay.listen(0);
  await once(relay, 'listening');
  onTestFinished(() => {
    relay.close();
    return host[Symbol.asyncDispose]();
  });
  return `http://${addressOfMachine()}:${(relay.address() as AddressInfo).port}`;
}

test('the demo asks the model that it has just deployed, and shows its answer and its pace', async () => {
  const file = join(testbed.dir, 'tiny.json');
  const spec = {
    model: { uri: 'hf://acme/tiny@main' },
    env: [{ name: 'HF_ENDPOINT', value: await hub() }],
    engine: { type: 'vllm', image: LIGHT_WITH_PYTHON.name },
    fetcher: { image: LIGHT_WITH_PYTHON.name },
    storage: { size: '1Gi' },
    resources: { gpu: 0, cpu: '100m', memory: '256Mi' },
    drain: { timeoutSeconds: 5 },
  };
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: 'trunnion.dev/v1alpha1', kind: 'ModelServing', metadata: { name: 'tiny' }, spec }),
  );
  const { code, stdout, stderr } = await trunnion([
    'demo',
    '--yes',
    '--kubeconfig',
    testbed.cluster.kubeconfig,
    '--filename',
    file,
  ]);
  console.log(stdout);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toMatch(/ModelServing tiny {2}Running/);
  expect(stdout).toMatch(
    /\n> Say in two sentences .*\n\S[^\n]+\n\ntiny answered: 64 tokens, the first after [\d.]+ s, then [\d.]+ tokens a second\.\n$/,
  );
  expect(await testbed.client.find(TYPES.namespace, { name: 'trunnion-demo' })).toBeUndefined();
});
