import type { AskQuery, Lookup, Resource } from '../../api/index.ts';
import type { Clock } from '../../queue/index.ts';
import { type Count, type Lane, type Limits, LIMITS } from './limits.ts';
import { LookupQueue } from './queue.ts';

/** Which lane an ask is in; undefined for what is answered from memory, and asks nobody. */
const LANE_OF: Readonly<Record<(Lookup | AskQuery)['type'], Lane | undefined>> = {
  secret: 'objects',
  configMap: 'objects',
  object: 'objects',
  objects: 'objects',
  events: 'objects',
  podLog: 'logs',
  reported: 'logs',
  podMetrics: 'metrics',
  ask: 'asks',
  served: undefined,
};

/**
 * All look-ups of an operator, of whatever kind: how many are under way, how soon one follows another, and who comes next.
 * So nobody waits for long because somebody else has thousands to ask.
 */
export class Lookups {
  readonly #queues: Readonly<Record<Lane, LookupQueue>>;

  constructor(options: {
    readonly clock: Clock;
    /** @default LIMITS */
    readonly limits?: Readonly<Record<Lane, Limits>>;
  }) {
    const { clock, limits = LIMITS } = options;
    this.#queues = {
      objects: new LookupQueue(limits.objects, clock),
      logs: new LookupQueue(limits.logs, clock),
      metrics: new LookupQueue(limits.metrics, clock),
      asks: new LookupQueue(limits.asks, clock),
    };
  }

  /**
   * Does `work`, which answers an ask of a resource, once it is its turn. It tells how many bytes it reads.
   *
   * @throws the reason of `signal` where it is aborted before that
   */
  async run<T>(
    query: Lookup | AskQuery,
    about: Resource,
    signal: AbortSignal,
    work: (count: Count) => Promise<T>,
  ): Promise<T> {
    const lane = LANE_OF[query.type];
    if (lane === undefined) return work(() => undefined);
    const { namespace = '', name } = about.metadata;
    return this.#queues[lane].run(namespace, `${about.kind}/${name}`, signal, work);
  }
}
