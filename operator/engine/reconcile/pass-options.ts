import type { KubeClient, EventNote } from '../../kube/index.ts';
import type { Clock } from '../queue/index.ts';
import type { Resolver } from '../queries/index.ts';
import type { CommonStatus, Identity, Kind, Failure, Resource } from '../api/index.ts';
import { Memories } from './memory.ts';
import type { Plan } from '../plan/index.ts';
import { RenderCache } from '../plan/index.ts';
import { untraced, type Tracer } from '../telemetry/index.ts';
import { observerOf, type Observer } from '../observe/index.ts';
import type { Reader } from '../cache/index.ts';
import type { Watchdog } from '../telemetry/index.ts';

/** What happened in a pass, for logs and metrics. */
export interface PassReport {
  readonly resource: Resource;
  readonly writes: number;
  readonly failures: readonly Failure[];
  readonly plan?: Plan;
}

export interface PassOptions<R extends Resource, State> {
  readonly kind: Kind<R, State>;
  /** Who the operator is. */
  readonly identity: Identity;
  readonly client: Pick<KubeClient, 'apply' | 'create' | 'patch' | 'delete' | 'find'>;
  readonly reader: Reader<R>;
  readonly answers: Pick<Resolver, 'forget' | 'of' | 'want'>;
  readonly clock: Clock;
  /** Watches the calls of the kind's functions. */
  readonly watchdog: Pick<Watchdog, 'heldUntil' | 'watch'>;
  readonly record: (regarding: Resource, note: EventNote) => void;
  /** Called at the end of each pass that no error ended. */
  readonly report?: (report: PassReport) => void;
  /** Called after each write of a status, with the resource as it was before. */
  readonly transition?: (before: Resource, after: CommonStatus) => void;
  /** @default - passes are not traced */
  readonly tracer?: Tracer;
  /**
   * Shortest time between two writes of one status, in milliseconds: what changes in quick succession is written once.
   * A status that must be there before something is destroyed is not held up.
   *
   * @default 500
   */
  readonly statusIntervalMs?: number;
}

/** What the passes over all resources of a kind share. */
export interface PassContext<R extends Resource, State> extends PassOptions<R, State> {
  readonly tracer: Tracer;
  readonly renderCache: RenderCache<R, State>;
  readonly memories: Memories;
  readonly observer: Observer;
}

export const passContext = <R extends Resource, State>(options: PassOptions<R, State>): PassContext<R, State> => ({
  tracer: untraced,
  ...options,
  renderCache: new RenderCache(options.kind, options.identity),
  memories: new Memories(),
  observer: observerOf(options.identity, options.kind.childTypes),
});
