import type { Kind } from '../engine/api/index.ts';

/** An operator that would have been run. */
export interface InspectedOperator {
  readonly name: string;
  readonly kinds: readonly Kind[];
  /** @default - the group of the first kind */
  readonly domain?: string;
}

/** Of all copies of this package in a process: a command line and the module that it looks at may each have one. */
const KEY = Symbol.for('trunnion-operator.inspected');

const shared = globalThis as { [KEY]?: InspectedOperator[] | undefined };

/** What came of a module that was only looked at. */
export interface Inspected<T> {
  readonly value: T;
  /** What it would have run, in the order of its calls. */
  readonly operators: readonly InspectedOperator[];
}

/** Loads something while `operate` runs nothing, in order to know what it would run. */
export async function inspected<T>(load: () => Promise<T>): Promise<Inspected<T>> {
  const before = shared[KEY];
  const operators: InspectedOperator[] = [];
  shared[KEY] = operators;
  try {
    return { value: await load(), operators };
  } finally {
    shared[KEY] = before;
  }
}

/**
 * Notes what would be run, where a module is only looked at.
 *
 * @returns whether it is
 */
export function isInspected(options: InspectedOperator): boolean {
  shared[KEY]?.push(options);
  return shared[KEY] !== undefined;
}
