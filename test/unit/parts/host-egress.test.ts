import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { AgentService, DistributedTraining, ModelServing } from '../../../constructs/index.ts';
import type { Manifest, Workload } from '../../../constructs/index.ts';

type Egress = readonly { readonly hosts?: readonly string[]; readonly cidr?: string; readonly ports?: number[] }[];

const NAMED: Egress = [
  { hosts: ['api.openai.com', '*.example.com'], ports: [443, 8443] },
  { hosts: ['pypi.org'] },
  { cidr: '10.0.0.0/8' },
];

const props = { name: 'x', namespace: 'models' };
const served = (accessMode: 'ReadWriteOnce' | 'ReadWriteMany', egress: Egress) => ({
  model: { uri: 's3://models/llama/' },
  storage: { size: '40Gi', accessMode },
  engine: { type: 'vllm' as const },
  resources: { gpu: 1 },
  egress,
});

const KINDS: Readonly<Record<string, (chart: Chart, egress: Egress) => Workload & { warnings: readonly string[] }>> = {
  AgentService: (chart, egress) =>
    new AgentService(chart, 'x', { ...props, spec: { image: 'a:1', model: 'gpt-4o', egress } }),
  DistributedTraining: (chart, egress) =>
    new DistributedTraining(chart, 'x', { ...props, spec: { framework: 'pytorch', image: 'a:1', egress } }),
  'ModelServing whose Job fetches': (chart, egress) =>
    new ModelServing(chart, 'x', { ...props, spec: served('ReadWriteMany', egress) }),
  'ModelServing whose server fetches': (chart, egress) =>
    new ModelServing(chart, 'x', { ...props, spec: served('ReadWriteOnce', egress) }),
};

interface Policy {
  readonly endpointSelector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly egress: readonly object[];
}

/** The policy for hosts among what is rendered. */
function policyIn(manifests: readonly Manifest[]): Policy {
  const policy = made(manifests, 'CiliumNetworkPolicy')[0];
  if (policy === undefined) throw new Error('there is none');
  return policy['spec'] as Policy;
}

const made = (manifests: readonly Manifest[], kind: string): readonly Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind);

describe.each(Object.entries(KINDS))('%s', (_, make) => {
  const construct = (egress: Egress) => make(new Chart(new App(), 'c'), egress);
  const render = (egress: Egress) =>
    construct(egress)
      .render()
      .map(({ manifest }) => manifest);

  test('reaches hosts by a CiliumNetworkPolicy, with the wildcards as patterns', () => {
    const [policy, ...others] = made(render(NAMED), 'CiliumNetworkPolicy');
    expect(others).toEqual([]);
    expect(policy).toMatchObject({ apiVersion: 'cilium.io/v2', metadata: { name: 'x', namespace: 'models' } });
    const { egress } = policyIn(render(NAMED));
    expect(egress.slice(1)).toEqual([
      {
        toFQDNs: [{ matchName: 'api.openai.com' }, { matchPattern: '*.example.com' }],
        toPorts: [
          {
            ports: [
              { port: '443', protocol: 'TCP' },
              { port: '8443', protocol: 'TCP' },
            ],
          },
        ],
      },
      { toFQDNs: [{ matchName: 'pypi.org' }] },
    ]);
  });

  // Without it Cilium sees no answer and opens no address: Documentation/security/policy/layer3.rst of 1.20.2. The rule
  // names the servers, since one for anybody is the same as the plain one of the NetworkPolicy (layer7.rst).
  test('sends DNS through the proxy that learns the addresses, by rules that name the DNS servers', () => {
    const [dns] = policyIn(render(NAMED)).egress;
    expect(dns).toMatchObject({ toPorts: [{ rules: { dns: [{ matchPattern: '*' }] } }] });
    expect(JSON.stringify(dns)).toContain('"k8s:k8s-app":"kube-dns"');
    expect(JSON.stringify(dns)).toContain('openshift-dns');
  });

  test('covers every pod that it makes, those that fetch as well', () => {
    const manifests = render(NAMED);
    const pods = [...made(manifests, 'Deployment'), ...made(manifests, 'Job')];
    expect(pods).not.toEqual([]);
    const { matchLabels } = policyIn(manifests).endpointSelector;
    for (const pod of pods) expect(pod['spec']).toMatchObject({ template: { metadata: { labels: matchLabels } } });
  });

  test('opens nothing for host names in a NetworkPolicy', () => {
    const policies = (egress: Egress) => made(render(egress), 'NetworkPolicy');
    expect(policies(NAMED)).toEqual(policies([{ cidr: '10.0.0.0/8' }]));
  });

  test('has neither that policy nor a warning where no entry has host names', () => {
    const without = construct([{ cidr: '10.0.0.0/8' }]);
    expect(
      made(
        without.render().map(({ manifest }) => manifest),
        'CiliumNetworkPolicy',
      ),
    ).toEqual([]);
    expect(without.warnings.join()).not.toContain('Cilium');
    expect(construct(NAMED).warnings).toContainEqual(expect.stringMatching(/^spec\.egress: hosts .* Cilium/));
  });
});
