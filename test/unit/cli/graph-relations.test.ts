import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Graph } from '../../../cli/graph/graph.ts';
import { keyOf, relationsOf } from '../../../cli/graph/relations.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { trunnion } from '../../support/trunnion.ts';

const object = (kind: string, spec: object, name = 'a'): Manifest => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'ns' },
  spec,
});

const workload = (kind: string, pod: object = {}, container: object = {}): Manifest =>
  object(kind, {
    template: {
      metadata: { labels: { app: 'x', part: 'y' } },
      spec: { containers: [{ name: 'c', ...container }], ...pod },
    },
  });

const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'disk' } }];
const mounted = (readOnly: boolean) => ({ volumeMounts: [{ name: 'v', mountPath: '/v', readOnly }] });
const deployment = workload('Deployment');

describe('a relation is read from', () => {
  test.each<[string, readonly Manifest[], readonly string[]]>([
    [
      'the selector of a Service',
      [object('Service', { selector: { app: 'x' } }), deployment],
      ['Service/ns/a sends to Deployment/ns/a'],
    ],
    ['no selector of a Service', [object('Service', {}), deployment], []],
    ['a selector of other pods', [object('Service', { selector: { app: 'z' } }), deployment], []],
    [
      'an empty selector of a policy, which selects all pods',
      [object('NetworkPolicy', { podSelector: {} }), deployment],
      ['NetworkPolicy/ns/a guards Deployment/ns/a'],
    ],
    [
      'the selector of a policy of Cilium',
      [object('CiliumNetworkPolicy', { endpointSelector: { matchLabels: { app: 'x' } } }), deployment],
      ['CiliumNetworkPolicy/ns/a guards Deployment/ns/a'],
    ],
    [
      'the expressions of a budget',
      [
        object('PodDisruptionBudget', {
          selector: { matchExpressions: [{ key: 'part', operator: 'In', values: ['y'] }] },
        }),
        deployment,
      ],
      ['PodDisruptionBudget/ns/a limits evictions of Deployment/ns/a'],
    ],
    [
      'the target of an autoscaler',
      [object('HorizontalPodAutoscaler', { scaleTargetRef: { kind: 'Deployment', name: 'd' } })],
      ['HorizontalPodAutoscaler/ns/a scales Deployment/ns/d'],
    ],
    [
      'the target of KEDA without a kind, and its credentials',
      [object('ScaledObject', { scaleTargetRef: { name: 'd' }, triggers: [{ authenticationRef: { name: 't' } }] })],
      ['ScaledObject/ns/a scales Deployment/ns/d', 'TriggerAuthentication/ns/t read by ScaledObject/ns/a'],
    ],
    [
      'the Secret of a TriggerAuthentication',
      [object('TriggerAuthentication', { secretTargetRef: [{ name: 's' }] })],
      ['Secret/ns/s read by TriggerAuthentication/ns/a'],
    ],
    [
      'the paths and TLS of an Ingress',
      [
        object('Ingress', {
          rules: [{ http: { paths: [{ backend: { service: { name: 's' } } }] } }],
          tls: [{ secretName: 't' }],
        }),
      ],
      ['Ingress/ns/a routes to Service/ns/s', 'Secret/ns/t read by Ingress/ns/a'],
    ],
    [
      'the backends and Gateway of an HTTPRoute',
      [
        object('HTTPRoute', {
          rules: [{ backendRefs: [{ name: 's' }] }],
          parentRefs: [{ name: 'g', namespace: 'infra' }],
        }),
      ],
      ['HTTPRoute/ns/a routes to Service/ns/s', 'Gateway/infra/g routes to HTTPRoute/ns/a'],
    ],
    ['the account of pods', [workload('Job', { serviceAccountName: 's' })], ['ServiceAccount/ns/s runs Job/ns/a']],
    [
      'variables',
      [
        workload(
          'Job',
          {},
          { env: [{ valueFrom: { secretKeyRef: { name: 's' } } }], envFrom: [{ configMapRef: { name: 'c' } }] },
        ),
      ],
      ['Secret/ns/s read by Job/ns/a', 'ConfigMap/ns/c read by Job/ns/a'],
    ],
    [
      'pull secrets and projected volumes',
      [
        workload('Job', {
          imagePullSecrets: [{ name: 'p' }],
          volumes: [{ name: 'q', projected: { sources: [{ secret: { name: 's' } }] } }],
        }),
      ],
      ['Secret/ns/p read by Job/ns/a', 'Secret/ns/s read by Job/ns/a'],
    ],
    [
      'a claim that a server mounts',
      [workload('Deployment', { volumes }, mounted(false))],
      ['PersistentVolumeClaim/ns/disk mounted by Deployment/ns/a'],
    ],
    [
      'a claim that a Job reads',
      [workload('Job', { volumes }, mounted(true))],
      ['PersistentVolumeClaim/ns/disk mounted by Job/ns/a'],
    ],
    [
      'a claim that a Job writes to',
      [workload('Job', { volumes }, mounted(false))],
      ['Job/ns/a writes to PersistentVolumeClaim/ns/disk'],
    ],
    [
      'fields of odd types: none',
      [
        object('Ingress', { rules: 'x', tls: [1] }),
        object('Service', { selector: 3 }),
        workload('Job', { volumes: {} }),
      ],
      [],
    ],
  ])('%s', (_, manifests, expected) => {
    expect(relationsOf(manifests).map(({ from, verb, to }) => `${keyOf(from)} ${verb} ${keyOf(to)}`)).toEqual(expected);
  });
});

const EXAMPLES = [
  'model-serving',
  'model-serving-cpu',
  'distributed-training',
  'agent-service',
  'full/agent-service',
  'full/distributed-training',
  'compat/modeldeployment',
  'compat/mlmodel',
  'compat/llm',
  'compat/aiagent',
  'compat/full/modeldeployment',
  'compat/full/llm',
  'compat/full/aiagent',
  'compat/full/mltrainingjob',
];

const LEFT_ALONE: Readonly<Record<string, readonly string[]>> = {
  'agent-service': [
    'ServiceAccount/default/support-agent',
    'NetworkPolicy/default/support-agent',
    'Service/default/support-agent',
  ],
};

test.each(EXAMPLES)('each object of the example %s has to do with another one', async (example) => {
  const { stdout } = await trunnion(['graph', '-f', `examples/${example}.yaml`, '-o', 'json']);
  const graphs: Graph[] = JSON.parse(stdout);
  const connected = new Set(
    graphs.flatMap(({ relations }) => relations.flatMap(({ from, to }) => [keyOf(from), keyOf(to)])),
  );
  const alone = graphs.flatMap(({ namespace, nodes }) =>
    nodes.map(({ kind, name }) => keyOf({ kind, namespace, name })).filter((key) => !connected.has(key)),
  );
  // What the missing workload would use: standard error says that it is left out, and why.
  expect(alone).toEqual(LEFT_ALONE[example] ?? []);
});

test('an agent asks the model of its file, and one of another file by its name', async () => {
  const asked = async (file: string, input?: string) => {
    const { stdout } = await trunnion(['graph', '-f', file, '-o', 'json'], input);
    const graphs: Graph[] = JSON.parse(stdout);
    return graphs.flatMap(({ relations }) =>
      relations.filter(({ verb }) => verb === 'asks').map(({ to }) => keyOf(to)),
    );
  };
  expect(await asked('examples/agent-service.yaml')).toEqual(['ModelServing/default/qwen']);
  const both = ['agent-service', 'model-serving'].map((name) => readFileSync(`examples/${name}.yaml`, 'utf8'));
  expect(await asked('-', both.join('---\n'))).toEqual(['Service/default/qwen']);
});

test('images are named in short, and GPUs are those of one pod', async () => {
  const { stdout } = await trunnion(['graph', '-f', 'examples/full/distributed-training.yaml', '-o', 'json']);
  const [graph]: Graph[] = JSON.parse(stdout);
  expect(graph?.nodes.find(({ kind }) => kind === 'Job')?.details).toEqual([
    'pytorch:2.9.0-cuda13.0-cudnn9-runtime',
    '4 pods',
    '1 × nvidia.com/gpu each',
  ]);
});
