import { describe, expect, test } from 'vitest';
import { allKinds, kinds } from '../../../compat/kinds/index.ts';
import { rbac } from '../../../operator/rbac.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const namespace = 'trunnion-system';

function rulesOf(options: { watchNamespace?: string } = {}): Rule[] {
  return rbac({ kinds, namespace, ...options }).flatMap((manifest): readonly Rule[] =>
    'rules' in manifest ? (manifest['rules'] as readonly Rule[]) : [],
  );
}

const verbsOn = (resource: string): string[] =>
  rulesOf()
    .filter(({ resources }) => resources.includes(resource))
    .flatMap(({ verbs }) => verbs);

describe.each([
  ['of a whole cluster', {}],
  ['of one namespace', { watchNamespace: 'models' }],
])('the rights %s', (_, options) => {
  const rules = rulesOf(options);

  test('have no wildcard, and no path beside resources', () => {
    expect(JSON.stringify(rules)).not.toContain('*');
    for (const rule of rules) expect(Object.keys(rule).sort()).toEqual(['apiGroups', 'resources', 'verbs']);
  });

  test('let nobody become somebody else, and give nobody a right', () => {
    const verbs = new Set(rules.flatMap((rule) => rule.verbs));
    for (const verb of ['escalate', 'bind', 'impersonate', 'deletecollection']) expect(verbs).not.toContain(verb);
    const groups = new Set(rules.flatMap(({ apiGroups }) => apiGroups));
    for (const group of [
      'rbac.authorization.k8s.io',
      'admissionregistration.k8s.io',
      'apiextensions.k8s.io',
      'certificates.k8s.io',
    ])
      expect(groups).not.toContain(group);
  });

  test('reach into no pod, no node and no account', () => {
    const resources = new Set(rules.flatMap((rule) => rule.resources));
    for (const resource of [
      'pods/exec',
      'pods/attach',
      'pods/portforward',
      'pods/ephemeralcontainers',
      'nodes',
      'nodes/proxy',
      'serviceaccounts/token',
      'namespaces',
    ])
      expect(resources).not.toContain(resource);
  });

  test('say nothing twice', () => {
    const reported = rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`)),
      ),
    );
    expect(reported).toEqual([...new Set(reported)]);
  });
});

test('Secrets are read by name, and neither listed, watched nor changed', () => {
  expect(verbsOn('secrets')).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(list|watch|patch|update|delete)$/)]),
  );
  expect(verbsOn('secrets')).toContain('get');
});

test('every type of child may be made, changed and, unless it goes with its resource and never before, deleted', () => {
  const childTypes = kinds.flatMap((kind) => kind.childTypes);
  for (const { plural } of childTypes) {
    const isDeleted =
      childTypes.some((type) => type.plural === plural && type.gcOnly !== true) ||
      kinds.some(({ type, permissions = [] }) => type.plural === plural && permissions.includes('expire'));
    const verbs = ['create', 'get', 'list', 'patch', 'watch', ...(isDeleted ? ['delete'] : [])];
    expect(verbsOn(plural).toSorted()).toEqual(verbs.toSorted());
  }
});

test('with a namespace to watch, nothing is granted cluster-wide', () => {
  const manifests = rbac({ kinds, namespace, watchNamespace: 'models' });
  expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.namespace}`)).toEqual([
    'ServiceAccount trunnion-system',
    'Role models',
    'RoleBinding models',
    'Role trunnion-system',
    'RoleBinding trunnion-system',
  ]);
});

test('the rights are the same whether for one namespace or the whole cluster', () => {
  expect(rulesOf({ watchNamespace: 'models' })).toEqual(rulesOf());
});

describe('the rights to run the kinds of earlier operators', () => {
  const rulesFor = (which: typeof kinds): readonly Rule[] =>
    rbac({ kinds: which, namespace }).flatMap((manifest): readonly Rule[] =>
      'rules' in manifest ? (manifest['rules'] as readonly Rule[]) : [],
    );
  const rightsIn = (rules: readonly Rule[], resource: string): readonly string[] =>
    rules.filter(({ resources }) => resources.includes(resource)).flatMap(({ verbs }) => verbs);

  test('are given only where that is asked for', () => {
    expect(JSON.stringify(rulesFor(kinds))).not.toContain('example.com');
    expect(rightsIn(rulesFor(kinds), 'pods')).not.toContain('patch');
    expect(rightsIn(rulesFor(allKinds), 'pods')).toContain('patch');
  });

  test('are to follow the resources and what they refer to, to ask for them, and to write no more than statuses and finalizers', () => {
    const rules = rulesFor(allKinds);
    expect(rightsIn(rules, 'llmmodels')).toEqual(['list', 'watch']);
    expect(rightsIn(rules, 'llmdeployments/status')).toEqual(['patch']);
    expect(rightsIn(rules, 'aiagents')).toEqual(['list', 'watch', 'get']);
    expect(rightsIn(rules, 'modeldeployments')).toEqual(['list', 'watch', 'get', 'patch']);
  });
});
