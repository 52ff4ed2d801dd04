import type { KubeClient, EventNote } from '../../kube/index.ts';
import type { Clock } from '../queue/index.ts';
import type { Resolver } from '../queries/index.ts';
import type { CommonStatus, Kind, Failure, Resource } from '../api/index.ts';
import type { Plan, RenderCache } from '../plan/index.ts';
import type { Tracer, Watchdog } from '../telemetry/index.ts';
import type { Reader } from '../cache/index.ts';

/** What happened in a pass, for logs and metrics. */
export interface PassReport {
  readonly resource: Resource;
  readonly writes: number;
  readonly failures: readonly Failure[];
  readonly plan?: Plan;
}

export interface PassOptions<R extends Resource, State> {
  readonly kind: Kind<R, State>;
  readonly client: Pick<KubeClient, 'apply' | 'create' | 'patch' | 'delete' | 'find'>;
  readonly reader: Reader<R>;
  readonly answers: Resolver;
  readonly clock: Clock;
  /** Watches the calls of the kind's functions. */
  readonly watchdog: Watchdog;
  readonly record: (regarding: Resource, note: EventNote) => void;
  readonly report?: (report: PassReport) => void;
  /** Told of each status that was written, and of the resource with the one before. */
  readonly transition?: (before: Resource, after: CommonStatus) => void;
  /** @default - nobody is told how long its steps take */
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
  readonly renders: RenderCache<R, State>;
}
