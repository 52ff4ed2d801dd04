import type { ObservedChild } from '../../engine/api/index.ts';

/** Whether a Job has counted an index as done: `0-3,5`. */
export function hasCounted({ slice }: Pick<ObservedChild, 'slice'>, index: number): boolean {
  const { completedIndexes = '' } = (slice['status'] ?? {}) as { readonly completedIndexes?: string };
  return completedIndexes
    .split(',')
    .filter((range) => /^\d+(?:-\d+)?$/.test(range))
    .some((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return first <= index && index <= last;
    });
}
