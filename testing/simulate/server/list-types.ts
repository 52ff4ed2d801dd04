import { isObject } from '../../../constructs/schema/json.ts';
import { groupKind } from '../../../operator/engine/api/index.ts';

/** Where a value is in an object: of which type the object is, and the names of the fields that lead there. */
export interface Place {
  readonly type: { readonly apiVersion: string; readonly kind: string };
  readonly path: readonly string[];
}

export const below = ({ type, path }: Place, name: string): Place => ({ type, path: [...path, name] });

/** By which fields server-side apply tells the items of a list apart; `value` where an item is known by itself. */
type ListType = readonly string[] | 'value' | 'atomic';

const NAMED = [
  'claims',
  'containers',
  'env',
  'ephemeralContainers',
  'initContainers',
  'matchConditions',
  'resourceClaims',
  'schedulingGates',
  'secrets',
  'volumes',
  'webhooks',
];

/**
 * Lists whose items are merged one by one, by the field that holds them; all others are one value. From the schemas of
 * client-go v0.36.3 (applyconfigurations/internal), for the types that operators make.
 */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(NAMED.map((name) => [name, ['name']] as const)),
  hostAliases: ['ip'],
  ownerReferences: ['uid'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  volumeDevices: ['devicePath'],
  volumeMounts: ['mountPath'],
};

/** Objects that are one value, by the field that holds them; from the same schemas. */
const ATOMIC_OBJECTS: ReadonlySet<string> = new Set([
  'configMapKeyRef',
  'fieldRef',
  'labelSelector',
  'namespaceSelector',
  'nodeSelector',
  'podSelector',
  'resourceFieldRef',
  'roleRef',
  'scaleTargetRef',
  'secretKeyRef',
  'secretRef',
  'selector',
  'targetRef',
]);

/** What a CRD says of its lists and objects is not known here, so that of its own fields each list is one value. */
const isBuiltIn = ({ type }: Place): boolean => {
  const [group = ''] = groupKind(type).split('/');
  return !group.includes('.') || group.endsWith('.k8s.io');
};

/** Whether the object at a place is owned as a whole. */
export const isAtomicObject = (place: Place): boolean =>
  isBuiltIn(place) && place.path[0] !== 'metadata' && ATOMIC_OBJECTS.has(place.path.at(-1) ?? '');

export function listTypeAt(place: Place): ListType {
  const [first] = place.path;
  const name = place.path.at(-1) ?? '';
  if (first === 'metadata' && name === 'finalizers') return 'value';
  if (first !== 'metadata' && !isBuiltIn(place)) return 'atomic';
  if (name === 'ports') return portKeys(place);
  // A ServiceAccount's list of them is one value.
  if (name === 'imagePullSecrets') return groupKind(place.type) === '/ServiceAccount' ? 'atomic' : ['name'];
  return Object.hasOwn(KEYS, name) ? (KEYS[name] ?? 'atomic') : 'atomic';
}

/** Only those of a container and of a Service are merged. */
function portKeys({ type, path }: Place): ListType {
  if (groupKind(type) === '/Service') return ['port', 'protocol'];
  const isOfContainer = ['containers', 'initContainers', 'ephemeralContainers'].includes(path.at(-2) ?? '');
  return isOfContainer ? ['containerPort', 'protocol'] : 'atomic';
}

/**
 * The name of an item in a set of fields: `k:{"name":"main"}`; undefined where the item has none of the keys. Defaults are
 * not filled in here, so a key that is left out is left out of the name.
 */
export function itemName(item: unknown, type: ListType): string | undefined {
  if (type === 'atomic') return undefined;
  if (type === 'value') return `v:${JSON.stringify(item)}`;
  if (!isObject(item)) return undefined;
  const keys = type.filter((key) => item[key] !== undefined).map((key) => [key, item[key]] as const);
  return keys.length === 0 ? undefined : `k:${JSON.stringify(Object.fromEntries(keys))}`;
}

/** The names of all items of a list at a place; undefined where the list is one value. */
export function itemNames(list: readonly unknown[], place: Place): readonly string[] | undefined {
  const type = listTypeAt(place);
  const names = list.flatMap((item) => itemName(item, type) ?? []);
  return type === 'atomic' || new Set(names).size < list.length ? undefined : names;
}
