import type { BareStatus, Resource } from '../api/index.ts';
import type { Memory } from './memory.ts';
import type { PassContext } from './pass-options.ts';

/** One pass over one resource: what it is about, and what it has done so far. */
export interface Pass<R extends Resource, State> {
  /** Of the resource, as `keyOf` makes it. */
  readonly key: string;
  readonly context: PassContext<R, State>;
  readonly memory: Memory;
  /** For every request to the API server. */
  readonly call: { readonly signal?: AbortSignal };
  /** As our last write left it. */
  resource: R;
  /** The status that the kind's reconcile last gave. */
  decided: BareStatus<NonNullable<R['status']>> | undefined;
  /** Writes of the resource and of its children that the API server took. */
  writes: number;
  /** Whether the cache was behind for a child, and has been refreshed: no watch event will wake the resource for it. */
  refreshed: boolean;
  /** Whether a function of the kind has held the main loop for too long. */
  slow: boolean;
  /** Whether the finalizer was removed: nothing is left to do for the resource, ever. */
  released: boolean;
}

/** A pass that has done nothing yet. */
export function newPass<R extends Resource, State>(
  key: string,
  resource: R,
  context: PassContext<R, State>,
  signal: AbortSignal | undefined,
): Pass<R, State> {
  const memory = context.memories.of(key, resource);
  return {
    key,
    context,
    memory,
    call: signal === undefined ? {} : { signal },
    resource: memory.unwritten === undefined ? resource : { ...resource, status: memory.unwritten },
    decided: undefined,
    writes: 0,
    refreshed: false,
    slow: false,
    released: false,
  };
}

/** Whether something was done that no watch event reports: only another pass sees what it led to. */
export const hasChanged = ({ writes, refreshed }: Pick<Pass<Resource, unknown>, 'writes' | 'refreshed'>): boolean =>
  writes > 0 || refreshed;
