import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { LARGEST_METRICS_BYTES, type Sample, SampleReader, slicesOf } from '../../operator/engine/queries/index.ts';

/** For all of one request: what a pod tells is worth less the older it is. */
const REQUEST_MS = 3_000;

/** What is asked of a pod. */
export interface Scrape {
  readonly path: string;
  readonly metrics: readonly string[];
  /** Takes each sample of them. */
  readonly take: (sample: Sample) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads metrics of a pod in Prometheus' text format.
 *
 * @param dial - makes a connection to the pod, and gives it up by its signal
 * @throws where there is no connection, no answer in time, another answer than 200, and what can't be read
 */
export async function scrape(
  dial: (signal: AbortSignal) => Promise<Duplex>,
  { path, metrics, take, signal }: Scrape,
): Promise<void> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
  const connection = await dialled(dial, inTime);
  // What goes wrong is told by the answer; what comes after it is of no interest.
  connection.on('error', () => undefined);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { host: 'localhost', connection: 'close', accept: 'text/plain;version=0.0.4' };
      request({ path, headers, signal: inTime, createConnection: () => connection }, resolve)
        .once('error', reject)
        .end();
    });
    if (response.statusCode !== 200) throw new Error(`${path} answers with status ${response.statusCode}`);
    const reader = new SampleReader(metrics, take);
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > LARGEST_METRICS_BYTES) throw new Error(`${path} answers more than ${LARGEST_METRICS_BYTES} bytes`);
      for (const slice of slicesOf(chunk)) reader.push(slice);
    }
    reader.end();
  } catch (error) {
    throw inTime.aborted ? late() : error;
  } finally {
    connection.destroy();
  }
}

const late = () => new Error('no answer in time');

/** A connection that comes too late is closed. */
function dialled(dial: (signal: AbortSignal) => Promise<Duplex>, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(late());
    signal.addEventListener('abort', () => reject(late()), { once: true });
    dial(signal).then((connection) => (signal.aborted ? connection.destroy() : resolve(connection)), reject);
  });
}

/** Lets so many of the works that it is given run at a time. */
export function inSlots(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
