import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { AgentService, DistributedTraining, ModelServing } from '../../../constructs/index.ts';
import type { Manifest, Workload } from '../../../constructs/index.ts';

const egress = [
  { namespace: 'telemetry', podLabels: { app: 'collector' }, ports: [4317] },
  { podLabels: { app: 'cache' } },
  { namespace: 'tools', ports: [80, 8080] },
];

const RULES = [
  {
    to: [
      {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'telemetry' } },
        podSelector: { matchLabels: { app: 'collector' } },
      },
    ],
    ports: [{ port: 4317, protocol: 'TCP' }],
  },
  { to: [{ podSelector: { matchLabels: { app: 'cache' } } }] },
  {
    to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'tools' } } }],
    ports: [
      { port: 80, protocol: 'TCP' },
      { port: 8080, protocol: 'TCP' },
    ],
  },
];

const props = { name: 'x', namespace: 'models' };
const served = (storage: object) => ({
  model: { uri: 's3://models/llama/' },
  storage: { size: '40Gi', ...storage },
  engine: { type: 'vllm' as const },
  resources: { gpu: 1 },
  egress,
});

const KINDS: Readonly<Record<string, readonly [(chart: Chart) => Workload, readonly string[]]>> = {
  AgentService: [
    (chart) => new AgentService(chart, 'x', { ...props, spec: { image: 'a:1', model: 'gpt-4o', egress } }),
    ['x'],
  ],
  DistributedTraining: [
    (chart) => new DistributedTraining(chart, 'x', { ...props, spec: { framework: 'pytorch', image: 'a:1', egress } }),
    ['x'],
  ],
  'ModelServing whose Job fetches': [
    (chart) => new ModelServing(chart, 'x', { ...props, spec: served({ accessMode: 'ReadWriteMany' }) }),
    ['x', 'x-fetcher'],
  ],
  'ModelServing whose server fetches': [(chart) => new ModelServing(chart, 'x', { ...props, spec: served({}) }), ['x']],
};

const policiesOf = (workload: Workload): readonly Manifest[] =>
  workload.render().flatMap(({ manifest }) => (manifest.kind === 'NetworkPolicy' ? [manifest] : []));

describe.each(Object.entries(KINDS))('%s', (_, [make, names]) => {
  test('reaches the pods that are declared by namespace and labels, and no addresses for them', () => {
    const policies = policiesOf(make(new Chart(new App(), 'c')));
    for (const name of names) {
      const policy = policies.find(({ metadata }) => metadata.name === name);
      expect(policy?.['spec']).toHaveProperty('egress', expect.arrayContaining(RULES));
    }
  });
});
