/** Labels by their names. */
type Labels = Readonly<Record<string, string>>;

/** vLLM 0.30.0, v1/metrics/buckets.py, TIME_TO_FIRST_TOKEN_BUCKETS, in seconds. */
const TIME_TO_FIRST_TOKEN = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560,
];

/** vLLM 0.30.0, v1/metrics/buckets.py, INTER_TOKEN_LATENCY_BUCKETS, in seconds. */
const INTER_TOKEN_LATENCY = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
];

/** Why a request ended: vLLM 0.30.0, v1/engine/__init__.py, FINISH_REASON_STRINGS. */
const FINISH_REASONS = ['stop', 'length', 'abort', 'error', 'repetition'] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];

/** What the gauges tell at the moment of a scrape. */
export interface Load {
  readonly running: number;
  readonly waiting: number;
  /** From 0 to 1. */
  readonly kvCacheUsage: number;
}

/**
 * The metrics of vLLM 0.30.0 (v1/metrics/loggers.py, PrometheusStatLogger) that Trunnion reads, and its totals: the same
 * names, types, labels and buckets, in the form of Python's client, whose counters end in `_total`, whose numbers are
 * floats ("1.0") and whose labels are sorted. It leaves out the time when each was created (`_created`), and vLLM's other
 * metrics. vLLM sets the gauges at each step; here they are of the moment.
 */
export class Metrics {
  readonly #labels: Labels;
  readonly #success = new Map<FinishReason, number>(FINISH_REASONS.map((reason) => [reason, 0]));
  readonly #timeToFirstToken = new Histogram(TIME_TO_FIRST_TOKEN);
  readonly #interTokenLatency = new Histogram(INTER_TOKEN_LATENCY);
  #promptTokens = 0;
  #generationTokens = 0;

  constructor(modelName: string) {
    this.#labels = { engine: '0', model_name: modelName };
  }

  /** The first token of a request, and the tokens of its prompt, which it took. */
  firstToken(seconds: number, promptTokens: number): void {
    this.#promptTokens += promptTokens;
    this.#generationTokens += 1;
    this.#timeToFirstToken.observe(seconds);
  }

  nextToken(secondsSinceLast: number): void {
    this.#generationTokens += 1;
    this.#interTokenLatency.observe(secondsSinceLast);
  }

  finished(reason: FinishReason): void {
    this.#success.set(reason, (this.#success.get(reason) ?? 0) + 1);
  }

  /** Prometheus' text format 0.0.4. */
  text({ running, waiting, kvCacheUsage }: Load): string {
    const one = (name: string, type: string, help: string, value: number): readonly string[] => [
      ...head(name, type, help),
      sample(name, this.#labels, value),
    ];
    const success = 'vllm:request_success_total';
    return [
      ...one('vllm:num_requests_running', 'gauge', 'Number of requests in model execution batches.', running),
      ...one('vllm:num_requests_waiting', 'gauge', 'Number of requests waiting to be processed.', waiting),
      ...one('vllm:kv_cache_usage_perc', 'gauge', 'KV-cache usage. 1 means 100 percent usage.', kvCacheUsage),
      ...one('vllm:prompt_tokens_total', 'counter', 'Number of prefill tokens processed.', this.#promptTokens),
      ...one(
        'vllm:generation_tokens_total',
        'counter',
        'Number of generation tokens processed.',
        this.#generationTokens,
      ),
      ...head(success, 'counter', 'Count of successfully processed requests.'),
      ...[...this.#success].map(([reason, count]) =>
        sample(success, { ...this.#labels, finished_reason: reason }, count),
      ),
      ...this.#timeToFirstToken.lines(
        'vllm:time_to_first_token_seconds',
        'Histogram of time to first token in seconds.',
        this.#labels,
      ),
      ...this.#interTokenLatency.lines(
        'vllm:inter_token_latency_seconds',
        'Histogram of inter-token latency in seconds.',
        this.#labels,
      ),
      '',
    ].join('\n');
  }
}

class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #count = 0;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#count += 1;
    this.#sum += value;
    for (const [index, bound] of this.#bounds.entries()) {
      if (value <= bound) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    }
  }

  lines(name: string, help: string, labels: Labels): readonly string[] {
    const bucket = (le: string, count: number) => sample(`${name}_bucket`, { ...labels, le }, count);
    return [
      ...head(name, 'histogram', help),
      ...this.#bounds.map((bound, index) => bucket(float(bound), this.#counts[index] ?? 0)),
      bucket('+Inf', this.#count),
      sample(`${name}_count`, labels, this.#count),
      sample(`${name}_sum`, labels, this.#sum),
    ];
  }
}

const head = (name: string, type: string, help: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const sample = (name: string, labels: Labels, value: number): string => {
  const pairs = Object.entries(labels)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}{${pairs.join(',')}} ${float(value)}`;
};

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

/** As Python writes it. */
const float = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value));
