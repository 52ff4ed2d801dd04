import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A span as a collector gets it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the first span of a trace. */
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Of the client that has sent it. */
  readonly resource: ReceivedSpan['attributes'];
  readonly failed: boolean;
  /** What was recorded of exceptions: their messages. */
  readonly exceptions: readonly string[];
}

interface KeyValue {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly boolValue?: boolean };
}

interface WireSpan extends Pick<ReceivedSpan, 'name' | 'traceId' | 'spanId' | 'parentSpanId'> {
  readonly attributes: readonly KeyValue[];
  readonly status: { readonly code?: number };
  readonly events?: readonly { readonly attributes: readonly KeyValue[] }[];
}

interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

/** OTLP's code of a status that is an error. */
const ERROR = 2;

/** A collector of traces: OTLP over HTTP, in JSON, on the loopback. */
export class Collector {
  readonly spans: ReceivedSpan[] = [];
  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  /** Runs until the test ends. */
  static async start(): Promise<Collector> {
    const server = createServer((request, response) => {
      void json(request).then((batch) => {
        collector.#take(batch as Batch);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const collector = new Collector(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return collector;
  }

  /** The names of the spans right below one, in the order in which they began. */
  below({ spanId }: ReceivedSpan): readonly string[] {
    return this.spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);
  }

  named(name: string): readonly ReceivedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  #take({ resourceSpans }: Batch): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const of = plain(resource.attributes);
      this.spans.push(...scopeSpans.flatMap(({ spans }) => spans.map((span) => received(span, of))));
    }
  }
}

const received = (span: WireSpan, resource: ReceivedSpan['resource']): ReceivedSpan => ({
  name: span.name,
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId !== undefined && span.parentSpanId !== '' && { parentSpanId: span.parentSpanId }),
  attributes: plain(span.attributes),
  resource,
  failed: span.status.code === ERROR,
  exceptions: (span.events ?? []).flatMap((event) => String(plain(event.attributes)['exception.message'] ?? [])),
});

const plain = (attributes: readonly KeyValue[]): ReceivedSpan['attributes'] =>
  Object.fromEntries(
    attributes.flatMap(({ key, value }) => Object.values(value).map((content) => [key, content] as const)),
  );
