import { KINDS } from '../../constructs/kinds.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { COMPAT_SCHEMAS } from '../../compat/kinds/index.ts';
import { OPERATOR_LABELS } from '../../operator/rbac.ts';

/** By these labels a controller of Kubernetes adds a ClusterRole to its own role of that name: 1.36, bootstrappolicy/policy.go. */
const AGGREGATE = 'rbac.authorization.k8s.io/aggregate-to-';

type BuiltInRole = 'view' | 'edit' | 'admin';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const READ = ['get', 'list', 'watch'];
/** As the built-in role `edit` has them for Deployments. */
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];

/**
 * Rights of users, as ClusterRoles that are parts of the built-in roles `view`, `edit` and `admin`.
 *
 * Nobody gets a right to write `status` or `finalizers`: anyone who may write a status is trusted as the operator is.
 *
 * @param compat - whether earlier operators' kinds are among them
 */
export function userRoles(compat: boolean): Manifest[] {
  const schemas = [...KINDS, ...(compat ? COMPAT_SCHEMAS : [])];
  const scalable = schemas.filter((schema) => schema.scalable === true);
  return [
    role(
      'view',
      ['view', 'edit', 'admin'],
      [...rules(schemas, READ), ...rules(schemas, READ, 'status'), ...rules(scalable, READ, 'scale')],
    ),
    role('edit', ['edit', 'admin'], [...rules(schemas, WRITE), ...rules(scalable, ['patch', 'update'], 'scale')]),
  ];
}

const role = (name: string, partOf: readonly BuiltInRole[], of: readonly Rule[]): Manifest => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: {
    name: `trunnion-${name}`,
    labels: { ...OPERATOR_LABELS, ...Object.fromEntries(partOf.map((built) => [`${AGGREGATE}${built}`, 'true'])) },
  },
  rules: of,
});

/** One rule a group. */
const rules = (schemas: readonly KindSchema[], verbs: readonly string[], subresource?: string): readonly Rule[] =>
  [...Map.groupBy(schemas, ({ group }) => group)].map(([group, members]) => ({
    apiGroups: [group],
    resources: members.map(({ plural }) => (subresource === undefined ? plural : `${plural}/${subresource}`)).sort(),
    verbs,
  }));
