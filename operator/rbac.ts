import type { Kind, Manifest, Permission, ResourceType } from './engine/api/index.ts';
import type { Identity } from './engine/api/index.ts';
import { conversionName, conversionRules, type NamedPolicyRule } from './conversion/index.ts';
import type { KindSchema } from '../constructs/schema/kind.ts';
import { OPERATOR_LABELS, OPERATOR_NAME } from './name.ts';
import { TRUNNION } from './trunnion.ts';
import { TYPES } from './kube/index.ts';

export { OPERATOR_LABELS, OPERATOR_NAME };

/** Who the operator is, and where it works. */
export interface RbacOptions {
  /** The kinds that it runs. */
  readonly kinds: readonly (Pick<Kind, 'type' | 'childTypes' | 'finalizer' | 'permissions' | 'reads' | 'refersTo'> & {
    /** Where it has versions that are converted, that takes rights too. */
    readonly schema?: Pick<KindSchema, 'group' | 'plural' | 'versions'>;
  })[];
  /**
   * Who it is: the name of its account and its roles.
   *
   * @default - Trunnion's own operator
   */
  readonly identity?: Pick<Identity, 'name' | 'partOf'>;
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
type PolicyRule = NamedPolicyRule;

const RBAC_GROUP = 'rbac.authorization.k8s.io';
/** What a cache takes. */
const FOLLOW = ['list', 'watch'];

/**
 * The operator's ServiceAccount and its rights: what running `kinds` takes and no more. There is no wildcard, and
 * Secrets can neither be listed nor watched.
 */
export function rbac({ kinds, identity = TRUNNION, namespace, watchNamespace }: RbacOptions): Manifest[] {
  const { name } = identity;
  const account = { name, namespace, labels: operatorLabels(identity) };
  const schemas = kinds.flatMap(({ schema }) => schema ?? []);
  const conversion = conversionRules(schemas, { name });
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
    ...grant(account, { name, within: watchNamespace, rules: workRules(kinds) }),
    ...grant(account, { name: `${name}-lease`, within: namespace, rules: leaseRules() }),
    // CRDs are of the cluster, also where the operator works in one namespace.
    ...grant(account, { name: conversionName(name), within: undefined, rules: conversion.cluster }),
    ...grant(account, { name: conversionName(name), within: namespace, rules: conversion.namespace }),
  ];
}

/** The labels of all that is installed for an operator. */
export const operatorLabels = ({ name, partOf }: Pick<Identity, 'name' | 'partOf'>) => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/part-of': partOf,
});

/** Whom a right is given. */
interface Account {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A role with `rules`, where there are any, and its binding, in the namespace `within` or else cluster-wide. */
function grant(
  account: Account,
  to: { readonly name: string; readonly within: string | undefined; readonly rules: readonly PolicyRule[] },
): Manifest[] {
  if (to.rules.length === 0) return [];
  const prefix = to.within === undefined ? 'Cluster' : '';
  const metadata = {
    name: to.name,
    ...(to.within === undefined ? {} : { namespace: to.within }),
    labels: account.labels,
  };
  return [
    { apiVersion: `${RBAC_GROUP}/v1`, kind: `${prefix}Role`, metadata, rules: to.rules },
    {
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: `${prefix}RoleBinding`,
      metadata,
      roleRef: { apiGroup: RBAC_GROUP, kind: `${prefix}Role`, name: to.name },
      subjects: [{ kind: 'ServiceAccount', name: account.name, namespace: account.namespace }],
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
  const isSecretChild = isChild(TYPES.secret);
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
    ...rules(isSecretChild ? [] : [TYPES.secret], secretVerbs(kinds)),
    ...rules(unique(kinds.flatMap(({ reads = [] }) => reads)), ['get', 'list']),
    ...rules([TYPES.event], ['create', 'patch']),
  ];
}

const secretVerbs = (kinds: RbacOptions['kinds']): string[] => [
  ...(has(kinds, 'read-secrets') || has(kinds, 'make-secrets') ? ['get'] : []),
  ...(has(kinds, 'make-secrets') ? ['create'] : []),
];

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
  if (verbs.length === 0) return [];
  return [...Map.groupBy(types, (type) => type.group)].map(([group, members]) => ({
    apiGroups: [group],
    resources: members.map(({ plural }) => (subresource === undefined ? plural : `${plural}/${subresource}`)).sort(),
    verbs,
  }));
}

function unique(types: readonly ResourceType[]): ResourceType[] {
  return [...new Map(types.map((type) => [`${type.plural}.${type.group}`, type])).values()];
}
