import { isObject } from '../../../constructs/schema/json.ts';
import type { FieldSet } from '../../../operator/kube/index.ts';
import { below, isAtomicObject, itemName, itemNames, listTypeAt, type Place } from './list-types.ts';

/** A live value with what is applied to it. */
export function merged(live: unknown, applied: unknown, place: Place): unknown {
  if (Array.isArray(live) && Array.isArray(applied)) return mergedLists(live, applied, place);
  if (!isObject(live) || !isObject(applied) || isAtomicObject(place)) return applied;
  const all: Record<string, unknown> = { ...live };
  for (const [name, value] of Object.entries(applied)) {
    if (value !== undefined) all[name] = merged(live[name], value, below(place, name));
  }
  return all;
}

/**
 * The items of the manifest in its order, and each item of others before what it was before: as structured-merge-diff
 * v6.4.2 has it (typed/merge.go).
 */
function mergedLists(live: readonly unknown[], applied: readonly unknown[], place: Place): readonly unknown[] {
  const [there, wanted] = [itemNames(live, place), itemNames(applied, place)];
  if (there === undefined || wanted === undefined) return applied;
  const all: unknown[] = [];
  let next = 0;
  const takeUntil = (end: number): void => {
    for (; next < end; next += 1) all.push(merged(live[there.indexOf(wanted[next] ?? '')], applied[next], place));
  };
  for (const [index, name] of there.entries()) {
    const shared = wanted.findIndex((each, at) => at >= next && there.includes(each));
    if (!wanted.includes(name)) all.push(live[index]);
    else if (wanted[shared] === name) takeUntil(shared + 1);
  }
  takeUntil(wanted.length);
  return all;
}

/** Stands for a value of which nothing is left. */
const NOTHING = Symbol('nothing');

/**
 * A value without the fields that a manager has given up, unless somebody else holds them.
 *
 * @param held - the fields that it still has, and those of all others
 */
export function withoutFields(value: unknown, given: FieldSet, held: FieldSet, place: Place): unknown {
  const left = pruned(value, given, held, place);
  return left === NOTHING ? {} : left;
}

function pruned(value: unknown, given: FieldSet, held: FieldSet | undefined, place: Place): unknown {
  const names = Object.keys(given).filter((name) => name !== '.');
  if (names.length === 0) return held === undefined ? NOTHING : value;
  return Array.isArray(value) ? prunedList(value, given, held, place) : prunedObject(value, given, held, place);
}

function prunedList(value: readonly unknown[], given: FieldSet, held: FieldSet | undefined, place: Place): unknown {
  const type = listTypeAt(place);
  const items = value.flatMap((item) => {
    const name = itemName(item, type) ?? '';
    const [gone, kept] = [inner(given, name), inner(held, name)];
    if (gone === undefined) return [item];
    return kept === undefined ? [] : [pruned(item, gone, kept, place)];
  });
  return items.length === 0 && held === undefined ? NOTHING : items;
}

function prunedObject(value: unknown, given: FieldSet, held: FieldSet | undefined, place: Place): unknown {
  if (!isObject(value)) return value;
  const left = Object.entries(value).flatMap(([name, field]) => {
    const gone = inner(given, `f:${name}`);
    const rest = gone === undefined ? field : pruned(field, gone, inner(held, `f:${name}`), below(place, name));
    return rest === NOTHING ? [] : [[name, rest] as const];
  });
  return left.length === 0 && held === undefined ? NOTHING : Object.fromEntries(left);
}

const inner = (set: FieldSet | undefined, name: string): FieldSet | undefined =>
  set !== undefined && Object.hasOwn(set, name) ? (set[name] as FieldSet) : undefined;
