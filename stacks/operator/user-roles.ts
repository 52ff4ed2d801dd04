import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Manifest } from '../../constructs/workload.ts';

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

/** A kind, as far as rights to it need it. */
type Named = Pick<KindSchema, 'group' | 'plural' | 'scalable'>;

/** Which roles, and what they are called. */
export interface UserRolesOptions {
  /** The kinds that they are about. */
  readonly schemas: readonly Named[];
  /** What their names begin with. */
  readonly prefix: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Rights of users, as ClusterRoles that are parts of the built-in roles `view`, `edit` and `admin`.
 *
 * Nobody gets a right to write `status` or `finalizers`: anyone who may write a status is trusted as the operator is.
 */
export function userRoles({ schemas, prefix, labels }: UserRolesOptions): Manifest[] {
  const scalable = schemas.filter((schema) => schema.scalable === true);
  const role = roleNamed(prefix, labels);
  return [
    role(
      'view',
      ['view', 'edit', 'admin'],
      [...rules(schemas, READ), ...rules(schemas, READ, 'status'), ...rules(scalable, READ, 'scale')],
    ),
    role('edit', ['edit', 'admin'], [...rules(schemas, WRITE), ...rules(scalable, ['patch', 'update'], 'scale')]),
  ];
}

const roleNamed =
  (prefix: string, labels: Readonly<Record<string, string>>) =>
  (name: string, partOf: readonly BuiltInRole[], of: readonly Rule[]): Manifest => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {
      name: `${prefix}-${name}`,
      labels: { ...labels, ...Object.fromEntries(partOf.map((built) => [`${AGGREGATE}${built}`, 'true'])) },
    },
    rules: of,
  });

/** One rule a group. */
const rules = (schemas: readonly Named[], verbs: readonly string[], subresource?: string): readonly Rule[] =>
  [...Map.groupBy(schemas, ({ group }) => group)].map(([group, members]) => ({
    apiGroups: [group],
    resources: members.map(({ plural }) => (subresource === undefined ? plural : `${plural}/${subresource}`)).sort(),
    verbs,
  }));
