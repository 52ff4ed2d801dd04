import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { Rights, RoleRule } from '../../support/members.ts';

const PAGE = readFileSync(new URL('../../../../docs/recipes/platform.md', import.meta.url), 'utf8');

/** The role that the recipe for many teams gives to a team. */
const recipe = (): readonly RoleRule[] => {
  const [, yaml = ''] = /```yaml team-a\.yaml\n([^`]*)```/.exec(PAGE) ?? [];
  const objects = parseAllDocuments(yaml).map((document) => document.toJS() as { kind: string; rules: RoleRule[] });
  return objects.find(({ kind }) => kind === 'ClusterRole')?.rules ?? [];
};

const ours: RoleRule = {
  apiGroups: ['trunnion.dev'],
  resources: ['modelservings', 'distributedtrainings', 'agentservices'],
  verbs: ['get', 'list', 'watch', 'patch', 'create'],
};
const read = (group: string, ...resources: readonly string[]): RoleRule => ({
  apiGroups: [group],
  resources,
  verbs: ['get', 'list', 'watch'],
});
const CORE = ['pods', 'services', 'configmaps', 'serviceaccounts', 'persistentvolumeclaims', 'secrets'];
const CHILDREN = [
  read('apps', 'deployments', 'replicasets'),
  read('batch', 'jobs'),
  read('autoscaling', 'horizontalpodautoscalers'),
  read('policy', 'poddisruptionbudgets'),
  read('networking.k8s.io', 'networkpolicies', 'ingresses'),
  read('discovery.k8s.io', 'endpointslices'),
];

interface Case {
  readonly rights: Rights;
  /** Whether the rights are in another namespace than the resource. */
  readonly elsewhere?: boolean;
}

/** Who may do what, from all that a user needs to nothing. */
export const RIGHTS: Readonly<Record<string, Case>> = {
  'the built-in role edit': { rights: { clusterRole: 'edit' } },
  "the recipe's role": { rights: { rules: recipe() } },
  'get of one resource': {
    rights: {
      rules: [{ apiGroups: ['trunnion.dev'], resources: ['modelservings'], resourceNames: ['llama'], verbs: ['get'] }],
    },
  },
  'no logs': { rights: { rules: [ours, read('', ...CORE, 'events'), ...CHILDREN] } },
  'no events': { rights: { rules: [ours, read('', ...CORE, 'pods/log'), ...CHILDREN] } },
  'no list of what it is made of': { rights: { rules: [ours, read('', 'pods', 'pods/log', 'events')] } },
  'no list of pods': { rights: { rules: [ours, read('', 'services', 'events'), ...CHILDREN] } },
  nothing: { rights: { rules: [] } },
  'rights in another namespace': { rights: { clusterRole: 'edit' }, elsewhere: true },
};
