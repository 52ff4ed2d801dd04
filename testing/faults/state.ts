import type { Json } from '../../constructs/schema/json.ts';

/** The state of a namespace: objects by `kind/name`, in a form that two runs of the same scenario can be compared in. */
export type State = Readonly<Record<string, Json>>;

const VOLATILE = new Set([
  'uid',
  'resourceVersion',
  'managedFields',
  'selfLink',
  'volumeName',
  'clusterIP',
  'clusterIPs',
]);
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/g;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * Takes out what no two runs share: identities, versions, times, and the order of conditions.
 *
 * @param plain - takes more out of each text
 */
export function normalise(value: Json, plain: (text: string) => string = (text) => text): Json {
  if (typeof value === 'string') return plain(value.replaceAll(TIME, '<time>').replaceAll(UID, '<uid>'));
  if (Array.isArray(value)) return value.map((item) => normalise(item, plain));
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key]) => !VOLATILE.has(key));
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, normalise(key === 'conditions' ? byType(inner) : inner, plain)]),
  );
}

/** Conditions are told apart by their type, and stand in the order in which they first came. */
const byType = (conditions: Json): Json =>
  Array.isArray(conditions) ? conditions.toSorted((a, b) => (typeOf(a) < typeOf(b) ? -1 : 1)) : conditions;

const typeOf = (condition: Json): string => (condition as { readonly type?: string } | null)?.type ?? '';

const HISTORY = new Set(['generation', 'observedGeneration', 'deployment.kubernetes.io/revision']);

/** What tells that somebody has deleted a policy, which stays and follows its spec as long as it has pods to cover. */
const DELETION = new Set(['deletionTimestamp', 'deletionGracePeriodSeconds']);

/** Takes out how often something was changed or created again. */
export function withoutHistory(state: State): State {
  const strip = (value: Json, isHistory: (key: string) => boolean): Json => {
    if (Array.isArray(value)) return value.map((item) => strip(item, isHistory));
    if (value === null || typeof value !== 'object') return value;
    const kept = Object.entries(value).filter(([key]) => !isHistory(key));
    return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner, isHistory)]));
  };
  const lasting = Object.entries(state).filter(([name]) => !name.startsWith('ReplicaSet/'));
  const historyOf = (name: string) => (key: string) =>
    HISTORY.has(key) || (name.startsWith('NetworkPolicy/') && DELETION.has(key));
  return Object.fromEntries(lasting.map(([name, object]) => [name, strip(object, historyOf(name))]));
}

/** A place where two values differ. */
export interface Difference {
  /** `Deployment/a .spec.replicas`; positions in lists are not told apart, so that a mask covers all items. */
  readonly path: string;
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

/** Every place where two values differ, as deep as possible. */
export function differences(left: Json | undefined, right: Json | undefined, path = ''): readonly Difference[] {
  if (isBranch(left) && isBranch(right) && Array.isArray(left) === Array.isArray(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...keys].flatMap((key) =>
      differences(
        (left as Record<string, Json>)[key],
        (right as Record<string, Json>)[key],
        `${path}${Array.isArray(left) ? '[]' : path === '' ? key : `.${key}`}`,
      ),
    );
  }
  return left === right ? [] : [{ path, left, right }];
}

function isBranch(value: Json | undefined): value is readonly Json[] | { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}
