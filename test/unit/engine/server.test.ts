import { afterEach, describe, expect, it } from 'vitest';
import { serveProbes } from '../../../operator/engine/telemetry/server.ts';
import type { ProbeServer } from '../../../operator/engine/telemetry/server.ts';

let server: ProbeServer | undefined;
afterEach(() => server?.close());

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

async function get(path: string, options: { unready?: string; metrics?: () => AsyncGenerator<string> } = {}) {
  const { unready, metrics = pieces } = options;
  server = await serveProbes({ port: 0, host: '127.0.0.1', unready: () => unready, metrics });
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return { status: response.status, text: await response.text() };
}

describe('the probes', () => {
  it('tell that the process lives', async () => {
    expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' });
  });

  it('tell that the event loop is late again and again, and not that it was late once', async () => {
    const probe = async (pauses: number): Promise<number> => {
      const healthz = `http://127.0.0.1:${server?.port}/healthz`;
      await fetch(healthz);
      for (let pause = 0; pause < pauses; pause++) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      if (pauses === 1) await new Promise((resolve) => setTimeout(resolve, 200));
      return (await fetch(healthz)).status;
    };
    const options = { port: 0, host: '127.0.0.1', unready: () => undefined, metrics: pieces };
    server = await serveProbes({ ...options, deadLoopMs: 100 });
    expect(await probe(1)).toBe(200);
    expect(await probe(20)).toBe(503);
    expect(await probe(0)).toBe(200);
  });

  it('tell what the operator waits for until it is ready', async () => {
    expect(await get('/readyz')).toEqual({ status: 200, text: 'ok\n' });
    await server?.close();
    expect(await get('/readyz?verbose', { unready: 'no cache' })).toEqual({ status: 503, text: 'no cache\n' });
  });

  it('know no other path', async () => {
    expect((await get('/debug')).status).toBe(404);
  });
});

describe('the metrics', () => {
  it('are sent as they are made', async () => {
    expect(await get('/metrics', { metrics: () => pieces('a 1\n', '', 'b 2\n') })).toEqual({
      status: 200,
      text: 'a 1\nb 2\n',
    });
  });

  it('that cannot be collected are no reason to die', async () => {
    const metrics = async function* (): AsyncGenerator<string> {
      yield await Promise.reject<string>(new Error('broken'));
    };
    expect(await get('/metrics', { metrics })).toEqual({ status: 500, text: 'broken\n' });
  });

  it('that break off are no whole answer', async () => {
    const metrics = async function* (): AsyncGenerator<string> {
      yield 'a 1\n';
      throw new Error('broken');
    };
    await expect(get('/metrics', { metrics })).rejects.toThrow(/terminated/);
    expect((await fetch(`http://127.0.0.1:${server?.port}/healthz`)).status).toBe(200);
  });
});
