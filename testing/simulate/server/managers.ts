import { difference, union, within } from '../../../operator/kube/index.ts';
import type { FieldSet, KubeObject, ManagedFieldsEntry } from '../../../operator/kube/index.ts';
import { changedFields, fieldsOf } from './fields.ts';
import type { Place } from './list-types.ts';
import { merged, withoutFields } from './merge.ts';

/** Who writes, and how: by server-side apply, or by sending the whole object, as a person and a controller do. */
export interface Writer {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** RFC 3339. */
  readonly time: string;
}

/** An object as it is sent, or as it will be stored. */
export interface Body {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** What an apply leads to: an object, or the managers that hold one of its fields at another value. */
export type Applied = { readonly object: Body } | { readonly conflicts: readonly string[] };

/**
 * Server-side apply: what the manager no longer gives goes, unless somebody else holds it too.
 *
 * @param live - undefined where the object is new
 * @param force - takes over what others hold at another value
 */
export function applied(live: KubeObject | undefined, body: Body, writer: Writer, force: boolean): Applied {
  const place = placeOf(body);
  const given = fieldsOf(body, place);
  const next = merged(live ?? {}, body, place) as Body;
  const changed = live === undefined ? undefined : changedFields(live, next, place);
  const { ours, others } = sorted(live, writer);
  const conflicts = others.filter(({ fieldsV1 = {} }) => changed !== undefined && overlaps(fieldsV1, changed));
  if (!force && conflicts.length > 0) return { conflicts: conflicts.map(({ manager = '' }) => manager) };
  const kept = others.map((entry) => ({ ...entry, fieldsV1: difference(entry.fieldsV1, changed) ?? {} }));
  const held = union([given, ...kept.map(({ fieldsV1 }) => fieldsV1)]) ?? {};
  const left = withoutFields(next, ours?.fieldsV1 ?? {}, held, place) as Body;
  return { object: withManagers(left, kept, entryOf(body, writer, given, ours)) };
}

/** A change by somebody who sends the whole object: what differs is theirs from now on, and nobody else's. */
export function updated(live: KubeObject, next: Body, writer: Writer): Body {
  const changed = withoutStatus(changedFields(live, next, placeOf(next)));
  const { ours, others } = sorted(live, writer);
  const kept = others.map((entry) => ({
    ...entry,
    fieldsV1: within(difference(entry.fieldsV1, changed), next) ?? {},
  }));
  const own = within(union([ours?.fieldsV1, changed]), next) ?? {};
  return withManagers(next, kept, entryOf(next, writer, own, ours));
}

/** An object that somebody has made by sending it. */
export const created = (body: Body, writer: Writer): Body =>
  withManagers(body, [], entryOf(body, writer, withoutStatus(fieldsOf(body, placeOf(body))) ?? {}, undefined));

const placeOf = ({ apiVersion, kind }: Body): Place => ({ type: { apiVersion, kind }, path: [] });

/** A status is written through its subresource, by its controller: it is no part of what is applied. */
function withoutStatus(fields: FieldSet | undefined): FieldSet | undefined {
  const { 'f:status': _, ...rest } = fields ?? {};
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** The entry of a writer among those of a live object, and all others. */
function sorted(live: KubeObject | undefined, { manager, operation }: Writer) {
  const entries: readonly ManagedFieldsEntry[] = live?.metadata.managedFields ?? [];
  const ours = entries.find((entry) => entry.manager === manager && entry.operation === operation);
  return { ours, others: entries.filter((entry) => entry !== ours) };
}

/** As long as the fields of a manager are the same, the time of its entry is as well. */
function entryOf(
  { apiVersion }: Body,
  { manager, operation, time }: Writer,
  fieldsV1: FieldSet,
  before: ManagedFieldsEntry | undefined,
): ManagedFieldsEntry {
  if (before !== undefined && JSON.stringify(before.fieldsV1) === JSON.stringify(fieldsV1)) return before;
  return { manager, operation, apiVersion, time, fieldsType: 'FieldsV1', fieldsV1 };
}

/** In an order that does not depend on who wrote last. */
function withManagers(body: Body, others: readonly ManagedFieldsEntry[], ours: ManagedFieldsEntry): Body {
  const managedFields = [...others, ours]
    .filter(({ fieldsV1 = {} }) => Object.keys(fieldsV1).length > 0)
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const metadata: Body['metadata'] & { readonly managedFields: typeof managedFields } = {
    ...body.metadata,
    managedFields,
  };
  return { ...body, metadata };
}

const nameOf = ({ manager = '', operation = 'Update' }: ManagedFieldsEntry): string => `${manager} ${operation}`;

/** Whether two sets have a field in common. */
function overlaps(one: FieldSet, other: FieldSet): boolean {
  const names = Object.keys(other).filter((name) => name !== '.' && Object.hasOwn(one, name));
  return names.some((name) => {
    const [a, b] = [one[name] as FieldSet, other[name] as FieldSet];
    return isLeaf(a) || isLeaf(b) || overlaps(a, b);
  });
}

const isLeaf = (set: FieldSet): boolean => Object.keys(set).every((name) => name === '.');
