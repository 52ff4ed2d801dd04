import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tracer } from '../../../operator/engine/telemetry/tracer.ts';
import { otlpTracer } from '../../../operator/tracing/otlp.ts';
import { Collector } from '../../support/collector.ts';
import { run } from '../../support/run.ts';

let collector: Collector;
let tracer: Tracer;

beforeEach(async () => {
  collector = await Collector.start();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'k8s.cluster.name=staging');
  tracer = otlpTracer('1.2.3');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const apply = { verb: 'apply', method: 'PATCH', resource: 'services', path: '/api/v1/services/a', seconds: 0.5 };

/** All spans, once the tracer has sent them. */
async function sent(): Promise<Collector> {
  await tracer.close();
  return collector;
}

const only = <T>(values: readonly T[]): T => {
  expect(values).toHaveLength(1);
  return values[0] as T;
};

describe('a trace', () => {
  it('is a tree: what is done in a span, and asked for in it, is below it', async () => {
    const result = await tracer.begin('reconcile', { 'trunnion.name': 'llama' }, async (span) => {
      tracer.step('observe', () => undefined);
      await tracer.step('execute', async () => {
        await sleep(1);
        tracer.request({ ...apply, code: '200' });
      });
      span.set({ 'trunnion.result': 'success' });
      return 7;
    });
    expect(result).toBe(7);
    const { spans } = await sent();
    const root = only(collector.named('reconcile'));
    expect(root.parentSpanId).toBeUndefined();
    expect(root.attributes).toEqual({ 'trunnion.name': 'llama', 'trunnion.result': 'success' });
    expect(root.resource).toMatchObject({
      'service.name': 'trunnion-operator',
      'service.version': '1.2.3',
      'k8s.cluster.name': 'staging',
    });
    expect(collector.below(root)).toEqual(['observe', 'execute']);
    expect(collector.below(only(collector.named('execute')))).toEqual(['apply services']);
    expect(only(collector.named('apply services')).attributes).toEqual({
      'http.request.method': 'PATCH',
      'url.path': '/api/v1/services/a',
      'http.response.status_code': 200,
    });
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  });

  it('is its own, whatever another one has caused it', async () => {
    tracer.begin('first', {}, () => tracer.begin('second', {}, () => undefined));
    await sent();
    expect(only(collector.named('second')).parentSpanId).toBeUndefined();
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(2);
  });

  it('ignores frames that come after its end', async () => {
    let later = Promise.resolve();
    tracer.begin('reconcile', {}, () => {
      later = sleep(5).then(() => tracer.request({ ...apply, code: '200' }));
    });
    await later;
    expect((await sent()).spans.map(({ name }) => name)).toEqual(['reconcile']);
  });

  it('tells what has failed: what was thrown, at once or later, what was said, and requests', async () => {
    const failure = new Error('broken');
    const later = async () => Promise.reject(failure);
    expect(() => tracer.step('at once', () => void fail(failure))).toThrow('broken');
    await expect(tracer.step('later', later)).rejects.toThrow('broken');
    tracer.begin('said', {}, (span) => span.fail(failure));
    tracer.begin('asked', {}, () => {
      tracer.request({ ...apply, code: '422' });
      tracer.request({ ...apply, code: 'ECONNRESET' });
    });
    await sent();
    for (const name of ['at once', 'later', 'said']) {
      expect(only(collector.named(name))).toMatchObject({ failed: true, exceptions: ['broken'] });
    }
    expect(
      collector.named('apply services').map(({ failed, attributes }) => [failed, attributes['error.type']]),
    ).toEqual([
      [true, '422'],
      [true, 'ECONNRESET'],
    ]);
  });

  it('is named in the lines of the log that are written in it', async () => {
    expect(tracer.ids()).toEqual({});
    const ids = tracer.begin('reconcile', {}, () => tracer.ids());
    await sent();
    const { traceId, spanId } = only(collector.named('reconcile'));
    expect(ids).toEqual({ trace_id: traceId, span_id: spanId });
  });
});

const fail = (error: Error): never => {
  throw error;
};

it('a collector that is away keeps nobody from ending', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9');
  const away = otlpTracer('1.2.3');
  away.begin('reconcile', {}, () => undefined);
  const began = performance.now();
  await away.close();
  expect(performance.now() - began).toBeLessThan(4_000);
});

/** Tells what is loaded of OpenTelemetry's SDK when a module is; its API is prom-client's, too. */
const LOADED = `
import { registerHooks } from 'node:module';
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/') && specifier !== '@opentelemetry/api') console.log(specifier);
    return next(specifier, context);
  },
});
await import(process.argv[1]);
`;

it.each([
  ['cli/operator/run.ts', /^$/],
  ['operator/tracing/otlp.ts', /@opentelemetry\/sdk-trace-base/],
])(
  'of OpenTelemetry, %s loads %s: it takes memory, so it is loaded only when it is asked for',
  async (file, expected) => {
    const url = new URL(`../../../${file}`, import.meta.url).href;
    const { code, stdout } = await run(process.execPath, ['--input-type=module', '-e', LOADED, url]);
    expect(code).toBe(0);
    expect(stdout).toMatch(expected);
  },
);
