import { expect, test } from 'vitest';
import { kinds } from '../../../operator/kinds/index.ts';
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

test('there is no wildcard', () => {
  expect(JSON.stringify(rulesOf())).not.toContain('*');
});

test('Secrets are read by name, and neither listed, watched nor written', () => {
  expect(verbsOn('secrets')).toEqual(['get']);
});

test('pods are only looked at', () => {
  expect(verbsOn('pods')).toEqual(['get', 'list', 'watch']);
});

test('every type of child may be made, changed and deleted', () => {
  for (const { plural } of kinds.flatMap(({ childTypes }) => childTypes)) {
    expect(verbsOn(plural)).toEqual(['get', 'list', 'watch', 'create', 'patch', 'delete']);
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
