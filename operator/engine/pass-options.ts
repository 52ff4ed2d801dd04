import type { KubeClient } from '../kube/client.ts';
import type { EventNote } from '../kube/events.ts';
import type { Clock } from './clock.ts';
import type { Facts } from './facts.ts';
import type { CommonStatus, Kind, Problem, Resource } from './kind.ts';
import type { Plan } from './plan.ts';
import type { Renders } from './renders.ts';
import type { Tracer } from './tracer.ts';
import type { View } from './view.ts';
import type { Watchdog } from './watchdog.ts';

/** What happened in a pass, for logs and metrics. */
export interface PassReport {
  readonly resource: Resource;
  readonly writes: number;
  readonly problems: readonly Problem[];
  readonly plan?: Plan;
}

export interface PassOptions<R extends Resource, Runtime> {
  readonly kind: Kind<R, Runtime>;
  readonly client: Pick<KubeClient, 'apply' | 'create' | 'patch' | 'delete' | 'find'>;
  readonly view: View<R>;
  readonly facts: Facts;
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
export interface PassContext<R extends Resource, Runtime> extends PassOptions<R, Runtime> {
  readonly renders: Renders<R, Runtime>;
}
