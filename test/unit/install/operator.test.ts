import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import type { PodSpec } from '../../../constructs/parts/objects/kube.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { allKinds } from '../../../compat/kinds/index.ts';
import { OPERATOR_NAME, rbac } from '../../../operator/rbac.ts';
import { Operator } from '../../../stacks/operator/operator.ts';
import type { SettingsInput } from '../../../stacks/operator/settings.ts';
import { restrictedViolations } from '../../support/pod-security-standard.ts';

const namespace = 'trunnion-system';

const render = (settings: SettingsInput = {}): readonly Manifest[] =>
  new Operator(new Chart(new App(), 'chart'), 'operator', { namespace, version: '1.2.3', settings }).render();

const titles = (manifests: readonly Manifest[]): readonly string[] =>
  manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

interface Deployment {
  readonly replicas: number;
  readonly template: {
    readonly metadata: Manifest['metadata'];
    readonly spec: { readonly containers: readonly Container[]; readonly [field: string]: unknown };
  };
}

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly [field: string]: unknown;
}

function deploymentOf(settings: SettingsInput = {}): Deployment {
  const found = render(settings).find(({ kind }) => kind === 'Deployment');
  return found?.['spec'] as Deployment;
}

const containerOf = (settings: SettingsInput = {}): Container => {
  const [container] = deploymentOf(settings).template.spec.containers;
  if (container === undefined) throw new Error('there is no container');
  return container;
};

test('it has all that the operator needs, each after what it needs itself', () => {
  expect(titles(render())).toEqual([
    'CustomResourceDefinition modelservings.trunnion.dev',
    'CustomResourceDefinition agentservices.trunnion.dev',
    'CustomResourceDefinition distributedtrainings.trunnion.dev',
    'Namespace trunnion-system',
    'ServiceAccount trunnion-operator',
    'ClusterRole trunnion-operator',
    'ClusterRoleBinding trunnion-operator',
    'Role trunnion-operator-lease',
    'RoleBinding trunnion-operator-lease',
    'ClusterRole trunnion-view',
    'ClusterRole trunnion-edit',
    'NetworkPolicy trunnion-operator',
    'Deployment trunnion-operator',
    'Service trunnion-operator',
    'PodDisruptionBudget trunnion-operator',
  ]);
});

test('its pods keep to the restricted standard, with a root that nobody writes to', () => {
  expect(restrictedViolations(deploymentOf().template.spec as unknown as PodSpec)).toEqual([]);
  expect(containerOf()).toMatchObject({ securityContext: { readOnlyRootFilesystem: true } });
});

test('two replicas elect a leader', () => {
  expect(deploymentOf().replicas).toBe(2);
  expect(containerOf().args).toContain('--leader-elect');
});

test('what works in one namespace has no right and no argument beyond it', () => {
  const manifests = render({ watchNamespace: 'models' });
  expect(titles(manifests).filter((title) => title.startsWith('ClusterRole'))).toEqual([]);
  expect(manifests.filter(({ kind }) => kind === 'Role').map(({ metadata }) => metadata.namespace)).toEqual([
    'models',
    namespace,
  ]);
  expect(containerOf({ watchNamespace: 'models' }).args).toContain('--namespace=models');
  expect(containerOf({ watchNamespace: namespace }).args).toContain('--namespace=$(POD_NAMESPACE)');
});

test("earlier operators' kinds come with their CRDs and rights", () => {
  const manifests = render({ compat: true });
  expect(titles(manifests)).toContain('CustomResourceDefinition mlmodels.ml.example.com');
  const roles = (of: readonly Manifest[]) =>
    of
      .filter(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === OPERATOR_NAME)
      .map((role) => role['rules']);
  expect(roles(manifests)).toEqual(roles(rbac({ kinds: allKinds, namespace })));
});

describe('the roles of users', () => {
  const rolesIn = (settings: SettingsInput) =>
    render(settings).filter(({ metadata }) => /^trunnion-(view|edit)$/.test(metadata.name));
  const resourcesIn = (settings: SettingsInput) =>
    rolesIn(settings).flatMap(
      (role) =>
        role['rules'] as readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[],
    );

  test('say of which built-in roles they are a part', () => {
    const labels = rolesIn({}).map(({ metadata }) =>
      Object.keys(metadata.labels ?? {}).flatMap((key) => key.split('aggregate-to-')[1] ?? []),
    );
    expect(labels).toEqual([
      ['admin', 'edit', 'view'],
      ['admin', 'edit'],
    ]);
  });

  test.for([[{}], [{ compat: true }]] as const)(
    'let nobody write what the operator alone writes, with %j',
    ([settings]) => {
      const written = resourcesIn(settings).filter(({ verbs }) => verbs.includes('patch'));
      expect(written.flatMap(({ resources }) => resources).filter((name) => /\/(?!scale$)/.test(name))).toEqual([]);
      expect(JSON.stringify(rolesIn(settings))).not.toContain('*');
    },
  );

  test("have earlier operators' kinds where these are installed", () => {
    expect(resourcesIn({}).flatMap(({ resources }) => resources)).not.toContain('mlmodels');
    expect(resourcesIn({ compat: true }).flatMap(({ resources }) => resources)).toContain('mlmodels');
  });

  test.for([[{ userRoles: { enabled: false } }], [{ watchNamespace: 'models' }]] as const)(
    'are left out with %j',
    ([settings]) => expect(rolesIn(settings)).toEqual([]),
  );
});

describe('the image', () => {
  const digest = `sha256:${'0a'.repeat(32)}`;
  test.for([
    [{}, 'docker.io/library/trunnion-operator:1.2.3'],
    [{ repository: 'registry.example.com/operator' }, 'registry.example.com/operator:1.2.3'],
    [{ tag: 'main' }, 'docker.io/library/trunnion-operator:main'],
    [{ tag: 'main', digest }, `docker.io/library/trunnion-operator@${digest}`],
  ] as const)('of %j is %s', ([image, expected]) => {
    expect(containerOf({ image }).image).toBe(expected);
  });
});

test.for([
  ["the operator's own", {}, 'docker.io/library/trunnion-operator:1.2.3'],
  ["the operator's own", { image: { repository: 'registry.example.com/a' } }, 'registry.example.com/a:1.2.3'],
  ['none', { image: { pullSecrets: [{ name: 'pull' }] } }, 'none'],
  ['what is asked for', { fetcherImage: 'registry.example.com/b:1' }, 'registry.example.com/b:1'],
  ['none', { fetcherImage: 'none' }, 'none'],
] as const)('the image that fetches weights is %s with %j', ([, settings, value]) => {
  const { env: given } = containerOf(settings);
  expect(given).toContainEqual({ name: 'TRUNNION_FETCHER_IMAGE', value });
});

test.for([
  ['logLevel', { logLevel: 'debug' }, { args: expect.arrayContaining(['--log-level=debug']) }],
  ['image.pullPolicy', { image: { pullPolicy: 'Always' } }, { imagePullPolicy: 'Always' }],
  ['env', { env: [{ name: 'A', value: 'b' }] }, { env: expect.arrayContaining([{ name: 'A', value: 'b' }]) }],
  ['resources', { resources: { limits: { memory: '1Gi' } } }, { resources: { limits: { memory: '1Gi' } } }],
] as const)('%s reaches the container', ([, settings, expected]) => {
  expect(containerOf(settings as SettingsInput)).toMatchObject(expected);
});

test('the allowed annotations reach the container as options, those of no list as the default', () => {
  const allowedAnnotations = { ingress: ['+default', 'a.example/*'], pod: ['+none'] };
  expect(containerOf({ allowedAnnotations }).args.join(' ')).toContain(
    '--allowed-ingress-annotations +default a.example/* --allowed-service-account-annotations +default --allowed-pod-annotations +none',
  );
});

test.for([[[]], [['a b']], [['--port=1']], [['$(TOKEN)']]] as const)('%j is no list of annotations', ([pod]) => {
  expect(() => containerOf({ allowedAnnotations: { pod } })).toThrow(/allowedAnnotations\.pod/);
});

test.for([
  ['image.pullSecrets', { image: { pullSecrets: [{ name: 'pull' }] } }, { imagePullSecrets: [{ name: 'pull' }] }],
  ['nodeSelector', { nodeSelector: { disk: 'ssd' } }, { nodeSelector: { disk: 'ssd' } }],
  ['tolerations', { tolerations: [{ operator: 'Exists' }] }, { tolerations: [{ operator: 'Exists' }] }],
  ['affinity', { affinity: { podAffinity: {} } }, { affinity: { podAffinity: {} } }],
  ['priorityClassName', { priorityClassName: 'high' }, { priorityClassName: 'high' }],
] as const)('%s reaches the pod', ([, settings, expected]) => {
  expect(deploymentOf(settings as SettingsInput).template.spec).toMatchObject(expected);
});

test('podAnnotations and replicas reach the Deployment', () => {
  const { replicas, template } = deploymentOf({ replicas: 3, podAnnotations: { a: 'b' } });
  expect(replicas).toBe(3);
  expect(template.metadata.annotations).toEqual({ a: 'b' });
});

test.for([
  ['podDisruptionBudget.enabled', { podDisruptionBudget: { enabled: false } }, 'PodDisruptionBudget'],
  ['networkPolicy.enabled', { networkPolicy: { enabled: false } }, 'NetworkPolicy'],
  ['crds.enabled', { crds: { enabled: false } }, 'CustomResourceDefinition'],
] as const)('without %s there is no such object', ([, settings, kind]) => {
  expect(render(settings).filter((manifest) => manifest.kind === kind)).toEqual([]);
});

test('apiServer.port opens the port on which the API server itself listens, beside the usual ones', () => {
  const policy = render({ apiServer: { port: 16_443 } }).find(({ kind }) => kind === 'NetworkPolicy');
  const ports = ((policy?.['spec'] ?? { egress: [] }) as { egress: { ports?: { port: number }[] }[] }).egress.flatMap(
    (rule) => rule.ports ?? [],
  );
  expect(ports.map(({ port }) => port)).toEqual(expect.arrayContaining([16_443, 443, 6443]));
});

test('networkPolicy.egress takes the place of the rule for the API server', () => {
  const rule = { to: [{ ipBlock: { cidr: '10.0.0.1/32' } }] };
  const policy = render({ networkPolicy: { egress: [rule] } }).find(({ kind }) => kind === 'NetworkPolicy');
  expect(policy?.['spec']).toMatchObject({ egress: [{}, {}, rule] });
  expect(JSON.stringify(policy)).not.toContain('6443');
});

test.for([
  ['serviceMonitor', 'ServiceMonitor trunnion-operator'],
  ['podMonitor', 'PodMonitor trunnion-operator'],
  ['engines', 'PodMonitor trunnion-engines'],
  ['alerts', 'PrometheusRule trunnion-operator'],
  ['dashboards', 'ConfigMap trunnion-operator-dashboard'],
] as const)('monitoring.%s installs the %s', ([field, title]) => {
  expect(titles(render({ monitoring: { [field]: true } }))).toContain(title);
  expect(titles(render())).not.toContain(title);
});

test('the words of monitoring reach its objects', () => {
  const words = { interval: '45s', labels: { release: 'prometheus' }, dashboardLabels: { team: 'ml' } };
  const manifests = render({ monitoring: { serviceMonitor: true, dashboards: true, ...words } });
  const find = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
  expect(find('ServiceMonitor')).toMatchObject({
    metadata: { labels: words.labels },
    spec: { endpoints: [{ interval: words.interval }] },
  });
  expect(find('ConfigMap')?.metadata.labels).toMatchObject(words.dashboardLabels);
});

test('crds.keep tells Helm to leave the CRDs', () => {
  const keeps = (keep: boolean) =>
    render({ crds: { keep } })
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .every(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep');
  expect([keeps(true), keeps(false)]).toEqual([true, false]);
});

test('all that is wrong is reported at once, each with its place', () => {
  const wrong = { replicas: 0, image: { pullPolicy: 'Sometimes' }, replica: 1 };
  const attempt = () => render(wrong as unknown as SettingsInput);
  expect(attempt).toThrow(/replicas: .*>=1.*got 0/);
  expect(attempt).toThrow(/image\.pullPolicy: .*"Always".*got "Sometimes"/);
  expect(attempt).toThrow(/Unrecognized key: "replica"/);
});
