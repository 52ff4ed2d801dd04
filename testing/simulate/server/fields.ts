import { isDeepStrictEqual } from 'node:util';
import { isObject, own } from '../../../constructs/schema/json.ts';
import type { FieldSet } from '../../../operator/kube/index.ts';
import { below, isAtomicObject, itemNames, type Place } from './list-types.ts';

/** Sets of fields as managedFields have them (FieldsV1): of a manifest, and of what a change has changed. */

/** What names an object, or is set by the server: nobody owns it. */
const IDENTITY: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'name',
  'namespace',
  'resourceVersion',
  'uid',
]);

const isOwned = (name: string, { path }: Place): boolean => {
  if (path.length === 0) return name !== 'apiVersion' && name !== 'kind';
  return path.length > 1 || path[0] !== 'metadata' || !IDENTITY.has(name);
};

/** The fields of a value. One with nothing below it is owned as a whole. */
export function fieldsOf(value: unknown, place: Place): FieldSet {
  if (Array.isArray(value)) {
    const names = itemNames(value, place) ?? [];
    return Object.fromEntries(names.map((name, index) => [name, itemFields(value[index], name, place)]));
  }
  if (!isObject(value) || isAtomicObject(place)) return {};
  const names = Object.keys(value).filter((name) => value[name] !== undefined && isOwned(name, place));
  const fields = names.map((name) => [`f:${name}`, fieldsOf(value[name], below(place, name))] as const);
  return Object.fromEntries(fields.filter(([name, inner]) => !isBareMetadata(name, inner, place)));
}

/** Metadata that do no more than name an object are not owned, and certainly not as a whole. */
const isBareMetadata = (name: string, fields: FieldSet, { path }: Place): boolean =>
  path.length === 0 && name === 'f:metadata' && Object.keys(fields).length === 0;

const itemFields = (item: unknown, name: string, place: Place): FieldSet =>
  name.startsWith('v:') ? {} : { '.': {}, ...fieldsOf(item, place) };

/** The fields that a change has added or given another value; undefined where there are none. What is gone is not there. */
export function changedFields(before: unknown, after: unknown, place: Place): FieldSet | undefined {
  if (isDeepStrictEqual(before, after)) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) return changedItems(before, after, place);
  if (!isObject(before) || !isObject(after) || isAtomicObject(place)) return fieldsOf(after, place);
  const changed = Object.keys(after)
    .filter((name) => after[name] !== undefined && isOwned(name, place))
    .flatMap((name) => named(`f:${name}`, changedFields(own(before, name), after[name], below(place, name))));
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function changedItems(before: readonly unknown[], after: readonly unknown[], place: Place): FieldSet | undefined {
  const [earlier, later] = [itemNames(before, place), itemNames(after, place)];
  if (earlier === undefined || later === undefined) return {};
  const changed = later.flatMap((name, index) => {
    const known = earlier.indexOf(name);
    if (known === -1) return [[name, itemFields(after[index], name, place)] as const];
    return named(name, changedFields(before[known], after[index], place));
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

const named = (name: string, fields: FieldSet | undefined): readonly (readonly [string, FieldSet])[] =>
  fields === undefined ? [] : [[name, fields]];
