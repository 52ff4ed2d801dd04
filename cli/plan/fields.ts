/** A field that changes; `from` is absent where it is new, `to` where it goes. */
export interface FieldChange {
  /** `spec.template.spec.containers[server].image` */
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** What the server sets by itself at each write. */
const BOOKKEEPING = /^(status|metadata\.(managedFields|resourceVersion|generation|uid|creationTimestamp))\b/;

/** What differs between two objects, field by field, but for the server's own bookkeeping. */
export function changedFields(before: object, after: object): FieldChange[] {
  const [old, young] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...old.keys(), ...young.keys()])]
    .filter((path) => !BOOKKEEPING.test(path) && old.get(path) !== young.get(path))
    .sort()
    .map((path) => ({
      path,
      ...(old.has(path) && { from: old.get(path) }),
      ...(young.has(path) && { to: young.get(path) }),
    }));
}

/** Every value that has no fields of its own, by its path. Empty lists and objects count as such. */
function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value]]);
  const fields = Array.isArray(value)
    ? itemsOf(value)
    : Object.entries(value).map(([key, field]) => [named(key), field] as const);
  if (fields.length === 0) return new Map([[path, Array.isArray(value) ? '[]' : '{}']]);
  return new Map(fields.flatMap(([key, field]) => [...leavesOf(field, `${path}${key}`.replace(/^\./, ''))]));
}

/** Items by their name where each has one, since an item that is inserted changes no other; else by their place. */
function itemsOf(items: readonly unknown[]): (readonly [string, unknown])[] {
  const names = items.map(nameOf);
  const areNames = new Set(names).size === items.length && !names.includes(undefined);
  return items.map((item, index) => [`[${areNames ? names[index] : index}]`, item]);
}

function nameOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('name' in item)) return undefined;
  return typeof item.name === 'string' ? item.name : undefined;
}

/** A key as a part of a path; one with dots is told from two keys. */
const named = (key: string): string => (/^[\w-]+$/.test(key) ? `.${key}` : `[${key}]`);
