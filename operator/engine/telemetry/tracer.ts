import type { Observation } from '../../kube/index.ts';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span while it lasts. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** What was done in it has failed, though nothing is thrown. */
  fail(error: unknown): void;
}

/** Tells how long what took, as spans of a trace. What is thrown in a span fails it. */
export interface Tracer {
  /** Does `work` as the first span of a new trace: whatever caused it is no part of it. */
  begin<T>(name: string, attributes: SpanAttributes, work: (span: Span) => T): T;
  /** Does `work` as a span below that in which it is called. */
  step<T>(name: string, work: () => T): T;
  /** Makes a span of a request that is over, below that in which it was made; none where that is over as well. */
  request(observation: Observation): void;
  /** The span of now, for a line of the log: `trace_id` and `span_id`. */
  ids(): Readonly<Record<string, string>>;
  /** Sends what is left. */
  close(): Promise<void>;
}

const NO_SPAN: Span = { set: () => {}, fail: () => {} };

/** Does what is to be done, and tells nobody. */
export const untraced: Tracer = {
  begin: (_name, _attributes, work) => work(NO_SPAN),
  step: (_name, work) => work(),
  request: () => {},
  ids: () => ({}),
  close: () => Promise.resolve(),
};
