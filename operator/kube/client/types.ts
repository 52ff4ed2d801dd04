/** A resource type as the API server names it. */
export interface ResourceType {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Lower-case plural, as in paths. */
  readonly plural: string;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly subresource?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Any object as the API server returns it. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** The group and version of `type`, as in an object's `apiVersion`. */
export function apiVersionOf(type: Pick<ResourceType, 'group' | 'version'>): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/**
 * The path of a collection, an object or a subresource.
 *
 * @param namespace - undefined or '' for objects of the cluster, and for the objects of all namespaces
 */
export function pathOf(type: ResourceType, namespace?: string, name?: string, subresource?: string): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const parts = [
    namespace === undefined || namespace === '' ? [] : ['namespaces', namespace],
    type.plural,
    name ?? [],
    subresource ?? [],
  ];
  return [root, ...parts.flat().map(encodeURIComponent)].join('/');
}
