import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/client/types.ts';
import { trunnion } from '../../support/trunnion.ts';
import { selfSigned } from '../../unit/weights/support/certificate.ts';
import { makeVolume } from '../../unit/weights/support/fetcher.ts';
import { startHost } from '../../unit/weights/support/host.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { sabotage } from '../support/sabotage.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

interface NodeObject extends KubeObject {
  readonly spec?: object;
  readonly status?: object;
}

/** A service in a namespace of its own, beside a running operator. */
async function setUp(): Promise<ServingUnderTest> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  return new ServingUnderTest(admin, namespace);
}

/** A node with 8 GPUs for one test alone: pods choose it by its label. */
async function nodeFor({ namespace }: ServingUnderTest, spec: object): Promise<string> {
  const like = (await admin.get(TYPES.node, { name: 'gpu-0' })) as NodeObject;
  const name = `gpu-${namespace}`;
  const { labels, annotations } = like.metadata;
  await admin.create(TYPES.node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...labels, 'kubernetes.io/hostname': name, test: namespace }, annotations },
    spec,
    status: like.status,
  });
  // Other tests of this cluster count its nodes.
  onTestFinished(async () => void (await admin.delete(TYPES.node, { name })));
  return name;
}

/** Waits until `kubectl describe` and `trunnion status` of a service both have their sentence. */
async function says(serving: ServingUnderTest, described: RegExp, status: RegExp): Promise<void> {
  const { namespace, name } = serving;
  await eventually(async () => {
    const conditions = (await serving.get()).status?.conditions ?? [];
    expect(conditions.map(({ message }) => message).join('\n')).toMatch(described);
    const { stdout } = await trunnion(['status', name, '-n', namespace, '--kubeconfig', cluster().kubeconfig]);
    expect(stdout).toMatch(status);
  });
}

const on = (namespace: string, more: Partial<ModelServingSpecInput> = {}): ModelServingSpecInput => ({
  ...servingSpec,
  nodeSelector: { test: namespace },
  ...more,
});

test('all nodes that could hold it are cordoned', async () => {
  const serving = await setUp();
  const node = await nodeFor(serving, { unschedulable: true });
  await serving.apply(on(serving.namespace));
  await says(
    serving,
    /1 node is cordoned .*: kubectl uncordon NODE lets pods onto one again/,
    new RegExp(`${node} could hold it and is cordoned: kubectl uncordon ${node}`),
  );
});

test('the nodes that could hold it are tainted', async () => {
  const serving = await setUp();
  const node = await nodeFor(serving, { taints: [{ key: 'team', value: 'search', effect: 'NoSchedule' }] });
  await serving.apply(on(serving.namespace));
  await says(
    serving,
    /1 node is tainted, and the pod does not tolerate it .*name its taint in tolerations/,
    new RegExp(`${node} could hold it and has the taint team=search:NoSchedule: name it in spec.tolerations`),
  );
});

test('others hold the GPUs', async () => {
  const serving = await setUp();
  const { namespace } = serving;
  await nodeFor(serving, {});
  const resources = { ...servingSpec.resources, gpu: 8 };
  const first = new ServingUnderTest(admin, namespace, 'first');
  await first.apply(on(namespace, { resources }));
  await first.reaches('Running');
  await serving.apply(on(namespace, { resources }));
  await says(
    serving,
    /All nvidia\.com\/gpu are in use, and 8 × nvidia\.com\/gpu are needed on one node\. Free some or add nodes/,
    new RegExp(`nvidia.com/gpu in use: ${namespace}/first 8`),
  );
});

test('it asks for more memory than any node has', async () => {
  const serving = await setUp();
  await serving.apply({ ...servingSpec, resources: { ...servingSpec.resources, memory: '9000Gi' } });
  await says(
    serving,
    /none has so much even when it is empty: resources\.memory: 9000Gi\. Ask for less, or add larger nodes/,
    /spec\.resources\.memory 9000Gi fits no node.*: the largest has 1152Gi/,
  );
});

test('no node has such a GPU yet', async () => {
  const serving = await setUp();
  await serving.apply({ ...servingSpec, resources: { ...servingSpec.resources, gpuProduct: 'NVIDIA-H900' } });
  await says(
    serving,
    /No node has 1 × nvidia\.com\/gpu of NVIDIA-H900\. Correct resources\.gpuProduct.* No autoscaler is known to have said anything/,
    /Such a node may still come; the pod then starts on it by itself/,
  );
  await serving.reaches('Pending');
});

test('a quota leaves no room', async () => {
  const serving = await setUp();
  await admin.create(TYPES.resourceQuota, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'gpus', namespace: serving.namespace },
    spec: { hard: { 'requests.nvidia.com/gpu': '0' } },
  });
  await serving.apply(servingSpec);
  const words = /exceeded quota: gpus, requested: requests\.nvidia\.com\/gpu=1.*Raise the quota or ask for less/;
  await says(serving, words, words);
});

test('the host of the model has a certificate that is not trusted', async () => {
  const serving = await setUp();
  await using host = await startHost(() => undefined, selfSigned());
  await using volume = await makeVolume();
  const uri = `${host.origin}/model.gguf`;
  // Simulated pods run no fetcher: they end as the real one does here.
  const ended = await volume.run({ TRUNNION_URI: uri });
  sabotage(admin, serving.namespace, 'fetcher', { fail: String(ended.code), message: ended.lastWord });
  await serving.apply({ ...servingSpec, model: { uri } });
  const words =
    /failed with exit code 64: the certificate of https:.* is not trusted .*: mount .* by podTemplate, and name the file in the variable NODE_EXTRA_CA_CERTS/;
  await says(serving, words, words);
  await serving.reaches('Failed');
});

const VALIDATING_WEBHOOK: ResourceType = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
};

test('a webhook that is asked about pods does not answer', async () => {
  const serving = await setUp();
  const { namespace } = serving;
  onTestFinished(async () => void (await admin.delete(VALIDATING_WEBHOOK, { name: namespace })));
  await admin.create(VALIDATING_WEBHOOK, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: namespace },
    webhooks: [
      {
        name: 'pods.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds: 1,
        failurePolicy: 'Fail',
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        clientConfig: { service: { namespace, name: 'nobody', port: 443 } },
      },
    ],
  });
  await serving.apply(servingSpec);
  const words =
    /failed calling webhook "pods\.example\.com".*That webhook does not answer: see whether its pods and its Service are well/;
  await says(serving, words, words);
});
