import type { ChildType, Identity } from '../api/index.ts';

/** By whose names, and by which rules, live objects are read. */
export interface Observer {
  readonly identity: Identity;
  /** What kinds say of the types of their children, by group and kind. */
  readonly types: ReadonlyMap<string, Pick<ChildType, 'keep' | 'ready'>>;
}

/**
 * Who reads for an operator that runs kinds. A type has one cache for all kinds, so what any of them keeps is kept; where
 * several say when it is ready, all must agree.
 */
export function observerOf(identity: Identity, childTypes: readonly ChildType[]): Observer {
  const types = Map.groupBy(childTypes, ({ group, kind }) => `${group}/${kind}`);
  return { identity, types: new Map([...types].map(([name, all]) => [name, rulesOf(all)])) };
}

function rulesOf(types: readonly ChildType[]): Pick<ChildType, 'keep' | 'ready'> {
  const keep = types.flatMap((type) => type.keep ?? []);
  const ready = types.flatMap((type) => type.ready ?? []);
  return {
    ...(keep.length > 0 && { keep: [...new Set(keep)] }),
    ...(ready.length > 0 && { ready: (object) => ready.every((isReady) => isReady(object)) }),
  };
}
