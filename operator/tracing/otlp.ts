import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Span as OtelSpan, Tracer as OtelTracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { plainText } from '../../constructs/parts/values/index.ts';
import type { Span, SpanAttributes, Tracer } from '../engine/telemetry/index.ts';
import type { Observation } from '../kube/index.ts';

const NAME = 'trunnion-operator';

/** For what is left to be sent at the end. */
const CLOSE_MS = 2_000;

/** Longest message of an error, in characters. */
const LONGEST_MESSAGE = 4_096;

/** From this HTTP status on a request has failed. */
const FAILED_STATUS = 400;

/**
 * Sends traces by OTLP over HTTP. Where to, with which headers, and how many of them, is what the variables of
 * OpenTelemetry say: `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`,
 * `OTEL_RESOURCE_ATTRIBUTES` and others. Nothing is registered globally.
 *
 * @param version - of this program
 */
export function otlpTracer(version: string): Tracer {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': NAME, 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const close = async () => {
    // A collector that is away must not keep the operator from ending.
    await Promise.race([provider.shutdown().catch(() => undefined), sleep(CLOSE_MS, undefined, { ref: false })]);
  };
  return new OtlpTracer(provider.getTracer(NAME, version), close);
}

class OtlpTracer implements Tracer {
  readonly #tracer: OtelTracer;
  readonly #contexts = new AsyncLocalStorageContextManager().enable();
  readonly close: () => Promise<void>;

  constructor(tracer: OtelTracer, close: () => Promise<void>) {
    this.#tracer = tracer;
    this.close = close;
  }

  begin<T>(name: string, attributes: SpanAttributes, work: (span: Span) => T): T {
    return this.#within(this.#tracer.startSpan(name, { attributes }, ROOT_CONTEXT), ROOT_CONTEXT, work);
  }

  step<T>(name: string, work: () => T): T {
    const parent = this.#contexts.active();
    return this.#within(this.#tracer.startSpan(name, {}, parent), parent, work);
  }

  request({ verb, resource, method, path, code, seconds }: Observation): void {
    const parent = this.#contexts.active();
    // What is asked in the background, again and again, would continue in the trace of anyone who asked first.
    if (trace.getSpan(parent)?.isRecording() !== true) return;
    const status = Number(code);
    const isAnswer = Number.isInteger(status);
    const isFailure = !isAnswer || status >= FAILED_STATUS;
    const span = this.#tracer.startSpan(
      `${verb} ${resource}`,
      {
        kind: SpanKind.CLIENT,
        startTime: Date.now() - seconds * 1_000,
        attributes: {
          'http.request.method': method,
          'url.path': path,
          ...(isAnswer && { 'http.response.status_code': status }),
          ...(isFailure && { 'error.type': code }),
        },
      },
      parent,
    );
    if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  ids(): Readonly<Record<string, string>> {
    const span = trace.getSpan(this.#contexts.active())?.spanContext();
    return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
  }

  #within<T>(span: OtelSpan, parent: Context, work: (span: Span) => T): T {
    const ours: Span = {
      set: (attributes) => void span.setAttributes(attributes),
      fail: (error) => fail(span, error),
    };
    return this.#contexts.with(trace.setSpan(parent, span), () => lasting(span, () => work(ours)));
  }
}

/** Ends a span when the work in it ends, be that now or when its promise is settled. */
function lasting<T>(span: OtelSpan, work: () => T): T {
  let result: T;
  try {
    result = work();
  } catch (error) {
    fail(span, error);
    span.end();
    throw error;
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  const settled = result.catch((error: unknown) => {
    fail(span, error);
    throw error;
  });
  return settled.finally(() => span.end()) as T;
}

function fail(span: OtelSpan, error: unknown): void {
  const words = error instanceof Error ? error.message : String(error);
  const message = plainText(words, { lines: true, max: LONGEST_MESSAGE });
  span.recordException({ name: error instanceof Error ? error.name : 'Error', message });
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}
