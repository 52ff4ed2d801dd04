import type { Kind, Manifest, Permission, ResourceType } from './engine/api/index.ts';
import { OPERATOR_LABELS, OPERATOR_NAME } from './name.ts';
import { TYPES } from './kube/index.ts';

export { OPERATOR_LABELS, OPERATOR_NAME };

/** Who the operator is, and where it works. */
export interface RbacOptions {
  /** The kinds that it runs. */
  readonly kinds: readonly Pick<Kind, 'type' | 'childTypes' | 'finalizer' | 'permissions' | 'refersTo'>[];
  /** The namespace of its ServiceAccount and its Lease. */
  readonly namespace: string;
  /**
   * The one namespace that it may work in.
   *
   * @default - the whole cluster
   */
  readonly watchNamespace?: string;
}

/** A rule of a Role, as data. */
interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';
/** What a cache takes. */
const FOLLOW = ['list', 'watch'];

/**
 * The operator's ServiceAccount and its rights: what running `kinds` takes and no more. There is no wildcard, and
 * Secrets can neither be listed nor watched.
 */
export function rbac({ kinds, namespace, watchNamespace }: RbacOptions): Manifest[] {
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: OPERATOR_NAME, namespace, labels: OPERATOR_LABELS } },
    ...grant({ name: OPERATOR_NAME, within: watchNamespace, account: namespace, rules: workRules(kinds) }),
    ...grant({ name: `${OPERATOR_NAME}-lease`, within: namespace, account: namespace, rules: leaseRules() }),
  ];
}

/** A role with `rules` and its binding, in the namespace `within` or else cluster-wide. */
function grant(to: {
  name: string;
  within: string | undefined;
  account: string;
  rules: readonly PolicyRule[];
}): Manifest[] {
  const prefix = to.within === undefined ? 'Cluster' : '';
  const metadata = {
    name: to.name,
    ...(to.within === undefined ? {} : { namespace: to.within }),
    labels: OPERATOR_LABELS,
  };
  return [
    { apiVersion: `${RBAC_GROUP}/v1`, kind: `${prefix}Role`, metadata, rules: to.rules },
    {
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: `${prefix}RoleBinding`,
      metadata,
      roleRef: { apiGroup: RBAC_GROUP, kind: `${prefix}Role`, name: to.name },
      subjects: [{ kind: 'ServiceAccount', name: OPERATOR_NAME, namespace: to.account }],
    },
  ];
}

/** What the operator does to resources, children and pods. */
function workRules(kinds: RbacOptions['kinds']): PolicyRule[] {
  const children = unique(kinds.flatMap((kind) => kind.childTypes));
  const leaving = kinds.flatMap(({ childTypes }) => childTypes.filter(({ gcOnly }) => gcOnly !== true));
  const parents = kinds.map(({ type }) => type);
  const followed = unique(kinds.flatMap(({ type, refersTo = [] }) => [type, ...refersTo]));
  const isChild = (type: ResourceType) =>
    children.some((child) => child.plural === type.plural && child.group === type.group);
  return [
    ...rules(
      followed.filter((type) => !isChild(type)),
      FOLLOW,
    ),
    // Whether they are as they were last learned of, before anything is done to their children.
    ...rules(
      parents.filter((type) => !isChild(type)),
      ['get'],
    ),
    // Puts the finalizer on and takes it off.
    ...rules(
      kinds.filter(({ finalizer }) => finalizer !== undefined).map(({ type }) => type),
      ['patch'],
    ),
    ...rules(parents, ['patch'], 'status'),
    // Where OwnerReferencesPermissionEnforcement is on, an owner reference that blocks its owner's deletion needs this.
    ...rules(parents, ['update'], 'finalizers'),
    ...rules(withPower(kinds, 'expire'), ['delete']),
    // Where a name is taken, a look tells by whom.
    ...rules(children, ['get', ...FOLLOW, 'create', 'patch']),
    ...rules(unique(leaving), ['delete']),
    { apiGroups: [''], resources: ['pods'], verbs: podVerbs(kinds) },
    { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
    // Whether an autoscaler adds a node for a pod, and why a Job has no pod, is said by events alone.
    ...rules([TYPES.coreEvent], ['list']),
    { apiGroups: [''], resources: ['secrets'], verbs: has(kinds, 'make-secrets') ? ['get', 'create'] : ['get'] },
    ...rules([TYPES.event], ['create', 'patch']),
  ];
}

const podVerbs = (kinds: RbacOptions['kinds']): string[] => [
  ...FOLLOW,
  ...(has(kinds, 'remove-pods') ? ['delete'] : []),
  ...(has(kinds, 'mark-pods') ? ['patch'] : []),
];

/** The kinds that may decide this. */
const withPower = (kinds: RbacOptions['kinds'], power: Permission): ResourceType[] =>
  kinds.filter(({ permissions = [] }) => permissions.includes(power)).map(({ type }) => type);

const has = (kinds: RbacOptions['kinds'], power: Permission): boolean => withPower(kinds, power).length > 0;

/** What leader election does. */
const leaseRules = (): PolicyRule[] => rules([TYPES.lease], ['create', 'get', 'update']);

/** One rule a group. */
function rules(types: readonly ResourceType[], verbs: readonly string[], subresource?: string): PolicyRule[] {
  return [...Map.groupBy(types, (type) => type.group)].map(([group, members]) => ({
    apiGroups: [group],
    resources: members.map(({ plural }) => (subresource === undefined ? plural : `${plural}/${subresource}`)).sort(),
    verbs,
  }));
}

function unique(types: readonly ResourceType[]): ResourceType[] {
  return [...new Map(types.map((type) => [`${type.plural}.${type.group}`, type])).values()];
}
