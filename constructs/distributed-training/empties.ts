/**
 * Maps of which an empty one says what none says, and what holds such maps. Of others it counts that they are there:
 * `emptyDir: {}`, `labelSelector: {}`.
 */
const MEANINGLESS_EMPTY: ReadonlySet<string> = new Set([
  'annotations',
  'hyperparameters',
  'labels',
  'limits',
  'matchLabels',
  'metadata',
  'nodeSelector',
  'podTemplate',
  'requests',
  'resources',
  'spec',
]);

/**
 * Leaves out empty lists, and empty maps that say nothing. Where the last item is taken from one, server-side apply
 * makes it `null`: of a custom resource its schema refuses that, and all of the change with it.
 */
export function withoutEmpties<T extends object>(value: T): T {
  if (Array.isArray(value)) return value.map(within) as T;
  const kept = Object.entries(value)
    .map(([key, inner]) => [key, within(inner)] as const)
    .filter(([key, inner]) => !isEmpty(inner) || (!Array.isArray(inner) && !MEANINGLESS_EMPTY.has(key)));
  return Object.fromEntries(kept) as T;
}

const within = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? withoutEmpties(value) : value;

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
