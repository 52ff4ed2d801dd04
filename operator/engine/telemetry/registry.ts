import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** controller-runtime's buckets for reconciles, in seconds. */
const RECONCILE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** A metric as it is registered. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
}

/** The metrics of one operator, with what prom-client tells of the process. */
export class OperatorRegistry {
  readonly registry = new Registry();
  /** Those of the operator, without what prom-client tells of the process. */
  readonly definitions: MetricDefinition[] = [];
  readonly #prefix: string;

  /** @param prefix - what the names begin with that no other program has: see {@link Identity.metricPrefix} */
  constructor(prefix: string) {
    this.#prefix = prefix;
    collectDefaultMetrics({ register: this.registry });
  }

  /** The name of a metric that controller-runtime doesn't have. */
  protected own(name: string): string {
    return `${this.#prefix}_${name}`;
  }

  protected counter<L extends string>(name: string, help: string, labels: readonly L[]): Counter<L> {
    return new Counter(this.#define('counter', name, help, labels));
  }

  protected gauge<L extends string>(name: string, help: string, labels: readonly L[]): Gauge<L> {
    return new Gauge(this.#define('gauge', name, help, labels));
  }

  protected histogram<L extends string>(name: string, help: string, labels: readonly L[]): Histogram<L> {
    return new Histogram({ ...this.#define('histogram', name, help, labels), buckets: RECONCILE_BUCKETS });
  }

  #define<L extends string>(type: MetricDefinition['type'], name: string, help: string, labels: readonly L[]) {
    this.definitions.push({ name, type, help, labels });
    return { name, help, labelNames: labels, registers: [this.registry] };
  }
}
