import { hash } from 'node:crypto';
import { normalisedQuantity } from '../../../constructs/parts/values/index.ts';
import { isObject, type PlainObject } from '../../../constructs/schema/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '../client/index.ts';

/**
 * What a field manager owns of an object by server-side apply, and a digest of it that equals the digest of the
 * manifest it applied as long as nobody has changed a thing. So a no-op apply, which costs the API server as much as a
 * real one, need not be sent.
 *
 * The fields are read from managedFields (FieldsV1): `f:NAME` a field, `k:{…}` the item of a list with these keys,
 * `v:…` the item of a set, `i:N` the item at a place, `.` the thing itself.
 */

/** A set of fields as managedFields have it. */
export type FieldSet = Readonly<Record<string, unknown>>;
/** The fields that `manager` has applied, as a manifest would have them; undefined where it has applied none. */
export function extract(live: KubeObject, manager: string): PlainObject | undefined {
  const fields = appliedFields(live, manager);
  return fields === undefined ? undefined : (pick(live, fields) as PlainObject);
}

/**
 * A digest of what `manager` owns of `live`; '' where it owns nothing.
 * Equals `digestOf` of the manifest that it applied, as long as nothing has drifted.
 */
export function digestOfOwned(live: KubeObject, manager: string): string {
  const owned = extract(live, manager);
  return owned === undefined ? '' : digestOf(owned);
}

/** The digest of a manifest: of all but what names the object. 96 bits, in 16 characters. */
export function digestOf(manifest: object): string {
  return hash('sha256', canonical(withoutIdentity(manifest as PlainObject)), 'base64url').slice(0, 16);
}

/** Whether two values are one to the API server: quantities by their amount, and all that is a zero in Go. */
export const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

/** Whether `manager` owns a field, given as a dotted path: `spec.replicas`. */
export function ownsPath(live: KubeObject, manager: string, path: string): boolean {
  let fields: unknown = appliedFields(live, manager);
  for (const name of path.split('.')) {
    fields = isObject(fields) ? fields[`f:${name}`] : undefined;
  }
  return fields !== undefined;
}

function appliedFields(live: KubeObject, manager: string): FieldSet | undefined {
  return live.metadata.managedFields?.find((entry) => isApplied(entry, manager))?.fieldsV1;
}

function isApplied(entry: ManagedFieldsEntry, manager: string): boolean {
  return entry.manager === manager && entry.operation === 'Apply' && !entry.subresource;
}

/** The part of `value` that `fields` names. */
function pick(value: unknown, fields: FieldSet): unknown {
  const names = Object.keys(fields).filter((name) => name !== '.');
  // A leaf is owned as a whole. One that the server has not kept was empty, or a zero.
  if (value === undefined) return null;
  if (names.length === 0) return '.' in fields ? emptied(value) : value;
  return Array.isArray(value) ? pickItems(value, fields, names) : pickFields(value, fields, names);
}

function pickFields(value: unknown, fields: FieldSet, names: readonly string[]): PlainObject {
  const record = isObject(value) ? value : {};
  return Object.fromEntries(
    names.map((name) => [name.slice(2), pick(record[name.slice(2)], fields[name] as FieldSet)]),
  );
}

/** Items in the order of the live list, which server-side apply keeps as the manifest had it. */
function pickItems(list: readonly unknown[], fields: FieldSet, names: readonly string[]): unknown[] {
  const places = names.flatMap((name) => {
    const place = placeOf(list, name);
    return place === -1 ? [] : [{ place, item: pick(list[place], fields[name] as FieldSet) }];
  });
  return places.sort((a, b) => a.place - b.place).map(({ item }) => item);
}

/** The place of an item in a list, by its name in a set of fields; -1 where it is not there. */
export function placeOf(list: readonly unknown[], name: string): number {
  const what: unknown = JSON.parse(name.slice(2));
  if (name.startsWith('i:')) return Number(what);
  if (name.startsWith('v:')) return list.findIndex((item) => canonical(item) === canonical(what));
  const keys = Object.entries(what as PlainObject);
  return list.findIndex((item) => isObject(item) && keys.every(([key, value]) => item[key] === value));
}

/** A container that is owned without its content. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}

/** What names an object, or is set by the server. The rest of its metadata are fields like any other. */
const IDENTITY: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
]);

function withoutIdentity({ apiVersion: _apiVersion, kind: _kind, metadata, ...rest }: PlainObject): PlainObject {
  const kept = Object.entries(isObject(metadata) ? metadata : {}).filter(([name]) => !IDENTITY.has(name));
  return kept.length === 0 ? rest : { ...rest, metadata: Object.fromEntries(kept) };
}

/** Fields whose values are quantities by name of amount. */
const AMOUNTS: ReadonlySet<string> = new Set(['limits', 'requests', 'capacity', 'overhead', 'hard']);

/** Fields that are a quantity. */
const QUANTITIES: ReadonlySet<string> = new Set(['sizeLimit', 'averageValue', 'divisor']);

function isQuantity(field: string, parent: string): boolean {
  return AMOUNTS.has(parent) || QUANTITIES.has(field) || (field === 'value' && parent === 'target');
}

/**
 * JSON with sorted keys, quantities in their canonical form, and one token for all that is a zero in Go: the server
 * leaves such fields out as it likes, and the set of owned fields still names them.
 *
 * Quantities are known by their place. Elsewhere "0.5" and "500m" are two texts, as in an environment variable.
 */
function canonical(value: unknown, field = '', parent = ''): string {
  if (Array.isArray(value) && value.length > 0) {
    return `[${value.map((item) => canonical(item, field, parent)).join()}]`;
  }
  if (isObject(value) && !JSON.isRawJSON(value)) {
    let members = '';
    for (const name of sortedKeys(value)) {
      if (value[name] !== undefined) members += `,${JSON.stringify(name)}:${canonical(value[name], name, field)}`;
    }
    return members === '' ? ZERO : `{${members.slice(1)}}`;
  }
  if ((typeof value === 'string' || typeof value === 'number') && isQuantity(field, parent)) {
    return JSON.stringify(normalisedQuantity(String(value)));
  }
  return isZero(value) ? ZERO : JSON.stringify(value);
}

/** To sort is a good part of the cost of a digest, and most records are in order. */
function sortedKeys(record: PlainObject): readonly string[] {
  const keys = Object.keys(record);
  return keys.every((key, place) => place === 0 || (keys[place - 1] ?? '') < key) ? keys : keys.sort();
}

const ZERO = '0';

function isZero(value: unknown): boolean {
  return (
    value === undefined || value === null || value === false || value === 0 || value === '' || Array.isArray(value)
  );
}
