import { TRUNNION } from '../../operator/trunnion.ts';
import { isOperators, markOf } from '../../operator/engine/plan/index.ts';
import { type Identity, MANAGED_BY_LABEL } from '../../operator/engine/api/index.ts';
import { controllerOf } from '../../operator/engine/observe/index.ts';
import { difference, fieldAt, has, placesOf, union, within } from '../../operator/kube/index.ts';
import type { FieldSet, KubeObject, ManagedFieldsEntry } from '../../operator/kube/index.ts';

/**
 * How the fields of live objects pass from one owner to another, as a value. Pure: the API server is asked, and written
 * to, by others.
 */

/** An operation of a JSON patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'replace' | 'test' | 'add'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** Marks what the operator has let go of. It never applies anything, so it takes nothing away either. */
export const RELEASED_MANAGER = 'trunnion-released';

/** What a client-side apply left for the next one. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** What happens to the fields of an object once the operator has it. */
export interface Move {
  /** Those who have applied its manifest so far, in the order of the object's own list. */
  readonly from: readonly string[];
  /** What they have applied and the operator does not: it goes. */
  readonly drops?: FieldSet;
  /**
   * The object's managed fields in which what was theirs is the operator's: to be written before it applies, so that what
   * it leaves out goes, and what others yield to stays.
   *
   * @default - they need no change
   */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Who gets an object. */
export interface Owner {
  /** @default - ours */
  readonly operator?: Identity;
  /**
   * Fields that are in each manifest of the object, and that no controller writes: anyone who owns one has applied it.
   *
   * @default - the label of the operator, which our constructs put on in every host
   */
  readonly marks?: readonly (readonly string[])[];
}

/**
 * Moves the fields of a live object to the operator.
 *
 * @param live - as it is
 * @param applied - the API server's answer to a dry run of what the operator would apply
 * @param unmanagedFields - paths that others own and that keep their values: `spec.replicas`
 */
export function moveOf(
  live: KubeObject,
  applied: KubeObject,
  unmanagedFields: readonly string[],
  { operator = TRUNNION, marks = [markOf(operator)] }: Owner = {},
): Move {
  const entries = live.metadata.managedFields ?? [];
  const own = entries.find((entry) => isOperators(entry, operator));
  const fieldManagers = entries.filter(
    (entry) => !isOperators(entry, operator) && !entry.subresource && marks.some((mark) => has(entry.fieldsV1, mark)),
  );
  const ours = applied.metadata.managedFields?.find((entry) => isOperators(entry, operator));
  const yielded = union(unmanagedFields.map((path) => fieldAt(path.split('.'))));
  const theirs = [own, ...fieldManagers].map((entry) =>
    entry?.apiVersion === ours?.apiVersion ? applies(entry, live) : undefined,
  );
  const drops = difference(difference(union(theirs), ours?.fieldsV1), yielded);
  const holdsYielded = unmanagedFields.some((path) => has(own?.fieldsV1, path.split('.')));
  const others = entries.filter((entry) => entry !== own && !fieldManagers.includes(entry));
  const fieldsV1 = union([ours?.fieldsV1, drops]);
  return {
    from: fieldManagers.map(({ manager = '' }) => manager).filter((manager) => manager !== RELEASED_MANAGER),
    ...(drops !== undefined && { drops }),
    ...((fieldManagers.length > 0 || holdsYielded) &&
      fieldsV1 !== undefined && {
        managedFields: [...others, { ...entryOf(live, operator.fieldManager, 'Apply'), fieldsV1 }],
      }),
  };
}

/** A patch that takes fields away: what dropping them comes to, asked for as a dry run. */
export const withoutFields = (live: KubeObject, drops: FieldSet): readonly PatchOperation[] =>
  [...placesOf(drops, live)]
    // From the end, since each item that goes moves those behind it.
    .sort((a, b) => compareSteps(b, a))
    .map((steps) => ({ op: 'remove', path: pointer(steps) }));

/** A patch that writes managed fields, onto the object as it was seen. */
export const withManagedFields = (
  live: KubeObject,
  managedFields: Move['managedFields'],
): readonly PatchOperation[] => [
  ...guard(live),
  { op: 'replace', path: '/metadata/managedFields', value: managedFields },
];

/**
 * A patch by which the operator lets go of an object: no owner, no label, no finalizer and no field of it is the operator's any more,
 * and no value changes. Nobody owns the fields then, so that anyone who applies next meets no conflict.
 *
 * @param ownerUid - UID of the resource that the object belongs to
 * @returns undefined where there is nothing to let go of
 */
export function lettingGo(live: KubeObject, ownerUid: string): readonly PatchOperation[] | undefined {
  const { labels = {}, ownerReferences = [], finalizers = [], managedFields = [] } = live.metadata;
  const owners = ownerReferences.filter(({ uid }) => uid !== ownerUid);
  const isLabelled = labels[MANAGED_BY_LABEL] === TRUNNION.managedBy;
  const entries = managedFields.filter(
    (entry) => !isOperators(entry, TRUNNION) && entry.manager !== TRUNNION.handoverManager,
  );
  const isOwned = owners.length < ownerReferences.length;
  const isHeld = finalizers.includes(TRUNNION.podProtection);
  if (!isOwned && !isLabelled && !isHeld && entries.length === managedFields.length) return undefined;
  // With no entry left the next apply would be taken for the first, and would find all fields in other hands.
  const mark = { ...entryOf(live, RELEASED_MANAGER, 'Update'), fieldsV1: fieldAt(markOf(TRUNNION)) };
  const others = entries.filter(({ manager }) => manager !== RELEASED_MANAGER);
  return [
    ...guard(live),
    ...(isOwned ? [{ op: 'replace', path: '/metadata/ownerReferences', value: owners } as const] : []),
    // Without an operator nobody would take it off.
    ...(isHeld
      ? [
          {
            op: 'replace',
            path: '/metadata/finalizers',
            value: finalizers.filter((one) => one !== TRUNNION.podProtection),
          } as const,
        ]
      : []),
    ...(isLabelled ? [{ op: 'remove', path: pointer(['metadata', 'labels', MANAGED_BY_LABEL]) } as const] : []),
    { op: 'replace', path: '/metadata/managedFields', value: [...others, mark] },
  ];
}

/** Whose an object is, for a resource that claims it. */
export type Claim = 'ours' | 'free' | 'taken';

/**
 * Whether a resource may have an object: it controls it already, nobody does, or somebody else.
 *
 * @param owners - UIDs of the resource, and of those that it takes over from
 */
export function claimTo(live: KubeObject, owners: readonly string[]): Claim {
  const controller = controllerOf(live);
  if (controller === undefined) return 'free';
  return owners.includes(controller.uid) ? 'ours' : 'taken';
}

/**
 * What a manager has applied. Of a client-side apply only the object's annotation tells: the entry names as well what the
 * server filled in, some of which can't be removed. The annotation itself stays, since the Deployment controller would
 * take its going for a new generation.
 */
function applies(entry: ManagedFieldsEntry | undefined, live: KubeObject): FieldSet | undefined {
  if (entry === undefined || entry.operation === 'Apply') return entry?.fieldsV1;
  const last = live.metadata.annotations?.[LAST_APPLIED];
  return last === undefined ? undefined : within(entry.fieldsV1, JSON.parse(last));
}

const entryOf = ({ apiVersion }: KubeObject, manager: string, operation: 'Apply' | 'Update'): ManagedFieldsEntry => ({
  manager,
  operation,
  apiVersion,
  fieldsType: 'FieldsV1',
});

/** Only the object that was seen, and only as it was. */
const guard = ({ metadata: { uid, resourceVersion } }: KubeObject): readonly PatchOperation[] => [
  { op: 'test', path: '/metadata/uid', value: uid },
  { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
];

/** A JSON pointer (RFC 6901). */
const pointer = (steps: readonly (string | number)[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function compareSteps(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [index, step] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (step === other) continue;
    if (typeof step === 'number' && typeof other === 'number') return step - other;
    return String(step) < String(other) ? -1 : 1;
  }
  return a.length - b.length;
}
