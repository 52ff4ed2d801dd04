import type { ModelServingSpecInput } from '../../../constructs/model-serving/spec.ts';

/** A resource that must be accepted. */
export interface AcceptedExample {
  /** What it shows, as a sentence's end: "accepts …". */
  readonly title: string;
  readonly name?: string;
  readonly spec: ModelServingSpecInput;
  /** The spec before a change. */
  readonly old?: ModelServingSpecInput;
}

/** A resource that must be refused. */
export interface RefusedExample {
  /** What it shows, as a sentence's end: "refuses …". */
  readonly title: string;
  readonly name?: string;
  /** Not of the spec's type, since a compiler would refuse many of them first. */
  readonly spec: unknown;
  readonly old?: ModelServingSpecInput;
  /** Each path with a part of its message; no other problem may be told. */
  readonly problems: readonly (readonly [path: string, message: string])[];
}

/** The smallest useful spec. */
export const minimal = {
  model: { uri: 'hf://meta-llama/Meta-Llama-3-8B-Instruct@main' },
  storage: { size: '40Gi' },
  engine: { type: 'vllm' },
  resources: { gpu: 1 },
} satisfies ModelServingSpecInput;

/** One with a volume that several replicas may mount. */
export const shared = {
  ...minimal,
  storage: { size: '40Gi', accessMode: 'ReadWriteMany' },
} satisfies ModelServingSpecInput;

/** One whose weights are mounted from where they are. */
export const mounted = {
  model: { uri: 'pvc://models/llama' },
  engine: { type: 'vllm' },
  resources: { gpu: 1 },
} satisfies ModelServingSpecInput;

/** Where metrics are asked for. */
export const prometheus = { serverAddress: 'http://prometheus.monitoring.svc:9090' };
