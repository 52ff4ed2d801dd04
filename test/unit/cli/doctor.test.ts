import { describe, expect, test } from 'vitest';
import { check } from '../../../cli/doctor/checks/index.ts';
import { checksText } from '../../../cli/doctor/print.ts';
import type { Check, Observed } from '../../../cli/doctor/types.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { crds, known, lease, node, storageClass, WELL } from './support/doctor.ts';
import { live } from './support/objects.ts';

/** What is not as it should be. */
const troubles = (observed: Partial<Observed>): readonly Check[] =>
  check({ ...WELL, ...observed }).filter(({ verdict }) => verdict !== 'ok');

test('in a cluster that has all, all is well', () => {
  expect(troubles({})).toEqual([]);
  expect(checksText(check(WELL), { paint: (_, text) => text, width: Infinity })).toMatchInlineSnapshot(`
    "✓ Kubernetes   v1.36.3
    ✓ CRDs         ModelServing is that of this release
    ✓ CRDs         AgentService is that of this release
    ✓ CRDs         DistributedTraining is that of this release
    ✓ Operator     2 of 2 pods are ready
    ✓ Operator     operator-a leads
    ✓ GPUs         8 × nvidia.com/gpu on 1 of 2 nodes
    ✓ Storage      fast is the default storage class
    ✓ Storage      shared can likely be mounted by several nodes
    ✓ Metrics      metrics.k8s.io/v1beta1 is served
    ✓ KEDA         keda.sh/v1alpha1 is served
    ✓ Gateway API  gateway.networking.k8s.io/v1 is served
    ✓ Gateway API  gateway class: eg
    ✓ Cilium       cilium.io/v2 is served
    ✓ Kueue        kueue.x-k8s.io/v1beta1 is served
    ✓ Kueue        queues of models: research
    ✓ Volcano      scheduling.volcano.sh/v1beta1 is served
    ✓ Ingress      ingress class: nginx
    ✓ Quota        models has none
    ✓ Resources    0 in models
    ✓ Your rights  you may use all of it in models
    "
  `);
});

describe('NetworkPolicies that are being deleted', () => {
  const policy = (name: string, deletionTimestamp?: string): KubeObject =>
    live('networking.k8s.io/v1', 'NetworkPolicy', name, {
      metadata: { finalizers: ['trunnion.dev/pod-protection'], ...(deletionTimestamp && { deletionTimestamp }) },
      spec: { podSelector: {} },
    });
  const policies = known([policy('stays'), policy('llama', '2026-01-01T00:00:00Z')]);
  const about = ({ about: of }: Check): boolean => of === 'Policies';

  test('wait for their pods where an operator works', () => {
    expect(check({ ...WELL, policies }).filter(about)).toEqual([
      {
        about: 'Policies',
        verdict: 'ok',
        found: 'being deleted in models, and enforced until their pods have stopped: NetworkPolicy llama',
      },
    ]);
  });

  test('wait forever where none does, and doctor says what to do', () => {
    const away = { ...WELL, policies, deployment: known(undefined), lease: known(undefined) };
    expect(check(away).filter(about)).toMatchObject([
      {
        verdict: 'warn',
        found: expect.stringContaining('llama'),
        advice: expect.stringContaining('trunnion uninstall'),
      },
    ]);
  });
});

test('advice stands below what was found, wrapped to the terminal', () => {
  const text = checksText(troubles({ nodes: known([]) }), { paint: (_, words) => words, width: 60 });
  expect(text).toMatchInlineSnapshot(`
    "! GPUs  none of 0 nodes offers a GPU
            What asks for resources.gpu waits until a node has
            one. Where an autoscaler begins GPU nodes at zero,
            all is well: it adds one for the first pod. Else add
            nodes with GPUs, and install NVIDIA's GPU operator,
            or your vendor's device plugin.
    "
  `);
});

describe('what nothing works without is a failure', () => {
  test.for<readonly [string, Partial<Observed>, about: string, RegExp]>([
    ['an API server that is too old', { serverVersion: 'v1.30.1' }, 'Kubernetes', /Upgrade/],
    ['a CRD that is missing', { crds: known(crds.slice(1)) }, 'CRDs', /trunnion install/],
    [
      'a CRD that the API server does not serve',
      { crds: known(crds.map((crd) => ({ ...crd, status: {} }))) },
      'CRDs',
      /taken its names/,
    ],
    ['no operator', { deployment: known(undefined), lease: known(undefined) }, 'Operator', /trunnion install/],
    [
      'an operator none of whose pods is ready',
      { deployment: known(live('apps/v1', 'Deployment', 'trunnion-operator', { spec: { replicas: 2 } })) },
      'Operator',
      /describe pods/,
    ],
    [
      'a Lease that nobody renews',
      { lease: known(lease('2025-12-31T23:00:00Z')) },
      'Operator',
      /No operator is running/,
    ],
    ['no storage class', { storageClasses: known([]) }, 'Storage', /pvc:\/\//],
    [
      'GPUs without a device plugin',
      { nodes: known([node('gpu-0', {}, { 'feature.node.kubernetes.io/pci-10de.present': 'true' })]) },
      'GPUs',
      /device plugin/,
    ],
  ])('%s', ([, observed, about, advice]) => {
    expect(troubles(observed)).toContainEqual({
      about,
      verdict: 'fail',
      found: expect.anything(),
      advice: expect.stringMatching(advice),
    });
  });
});

describe('what only some specs need is a warning', () => {
  test.for<readonly [string, Partial<Observed>, about: string, RegExp]>([
    [
      'a CRD of another release',
      { crds: known([...crds.slice(1), { ...crds[0], spec: {} } as KubeObject]) },
      'CRDs',
      /up to date/,
    ],
    [
      'GPUs without the label of their product',
      { nodes: known([node('gpu-0', { 'nvidia.com/gpu': '1' })]) },
      'GPUs',
      /gpuProduct/,
    ],
    ['no GPU', { nodes: known([node('cpu-0', { cpu: '4' })]) }, 'GPUs', /autoscaler begins GPU nodes at zero/],
    [
      'no default storage class',
      { storageClasses: known([storageClass('shared', 'nfs.csi.k8s.io')]) },
      'Storage',
      /storageClassName/,
    ],
    [
      'two default storage classes',
      { storageClasses: known([storageClass('a', 'nfs.csi.k8s.io', true), storageClass('b', 'nfs.csi.k8s.io', true)]) },
      'Storage',
      /youngest/,
    ],
    [
      'no storage that nodes share',
      { storageClasses: known([storageClass('a', 'ebs.csi.aws.com', true)]) },
      'Storage',
      /ReadWriteMany/,
    ],
    ['no queue in the namespace', { localQueues: known([]) }, 'Kueue', /Make one/],
    ['no ingress class', { ingressClasses: known([]) }, 'Ingress', /expose\.ingress/],
    [
      'a quota that is used up',
      {
        quotas: known([
          live('v1', 'ResourceQuota', 'gpus', {
            status: {
              hard: { 'requests.nvidia.com/gpu': '8', cpu: '1' },
              used: { 'requests.nvidia.com/gpu': '8', cpu: '500m' },
            },
          }),
        ]),
      },
      'Quota',
      /Raise/,
    ],
    ['a right that is missing', { rights: known([{ words: 'get pods/log', allowed: false }]) }, 'Your rights', /Role/],
    [
      'what may not be looked at',
      { nodes: { known: false, because: 'nodes is forbidden' } },
      'GPUs',
      /^nodes is forbidden$/,
    ],
    [
      'a resource that has failed',
      {
        resources: known([
          live('trunnion.dev/v1alpha1', 'ModelServing', 'llama', {
            status: { phase: 'Failed', conditions: [{ type: 'Ready', status: 'False', reason: 'NoSuchGPU' }] },
          }),
        ]),
      },
      'Resources',
      /modelserving\/llama \(NoSuchGPU\)/,
    ],
    [
      'an agent in error',
      {
        resources: known([
          live('trunnion.dev/v1alpha1', 'AgentService', 'helper', {
            status: { phase: 'Error', conditions: [{ type: 'Ready', status: 'False', reason: 'ImagePullFailed' }] },
          }),
        ]),
      },
      'Resources',
      /agentservice\/helper \(ImagePullFailed\)/,
    ],
  ])('%s', ([, observed, about, advice]) => {
    expect(troubles(observed)).toEqual([
      { about, verdict: 'warn', found: expect.anything(), advice: expect.stringMatching(advice) },
    ]);
  });
});

test('an extension that is missing is a warning, and a failure once a resource waits for it', () => {
  const served = new Set([...WELL.served].filter((version) => !version.startsWith('keda')));
  expect(troubles({ served })).toMatchObject([{ about: 'KEDA', verdict: 'warn', found: 'is not installed' }]);
  const waiting = live('trunnion.dev/v1alpha1', 'ModelServing', 'llama', {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False', reason: 'KedaNotInstalled' }] },
  });
  expect(troubles({ served, resources: known([waiting]) })).toMatchObject([
    { about: 'KEDA', verdict: 'fail', found: 'is not installed; ModelServing llama waits for it' },
    { about: 'Resources', verdict: 'warn', found: '1 in models: 1 not ready' },
  ]);
});

test('what a resource asks for and no node has is reported with how much the largest has, where it waits for a node', () => {
  const message = 'No node can take the pod. The scheduler says: 0/2 nodes are available: 2 Insufficient memory.';
  const serving = (name: string, reason: string, words: string) =>
    live('trunnion.dev/v1alpha1', 'ModelServing', name, {
      spec: { resources: { memory: '9000Gi' } },
      status: { phase: 'Pending', conditions: [{ type: 'Ready', status: 'False', reason, message: words }] },
    });
  const nodes = known([node('gpu-0', { 'nvidia.com/gpu': '8', memory: '1152Gi' }, { 'nvidia.com/gpu.product': 'A' })]);
  const resources = known([serving('llama', 'Unschedulable', message), serving('other', 'Deploying', 'It starts.')]);
  const aboutNodes = ({ about }: Check): boolean => about !== 'Resources';
  expect(troubles({ nodes, resources }).filter(aboutNodes)).toEqual([
    {
      about: 'Nodes',
      verdict: 'warn',
      found: 'modelserving/llama: spec.resources.memory 9000Gi fits no node: the largest has 1152Gi',
      advice: expect.stringMatching(/Ask for less, or add such nodes/),
    },
  ]);
  const unseen = troubles({ nodes: { known: false, because: 'forbidden' }, resources });
  expect(unseen.filter(aboutNodes)).toMatchObject([{ about: 'GPUs' }]);
});
