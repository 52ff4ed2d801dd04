import { afterEach, describe, expect, it } from 'vitest';
import { Metrics } from '../../../operator/engine/metrics.ts';
import { serveProbes } from '../../../operator/engine/server.ts';
import type { ProbeServer } from '../../../operator/engine/server.ts';

let server: ProbeServer | undefined;
afterEach(() => server?.close());

async function get(path: string, options: { unready?: string; metrics?: () => Promise<string> } = {}) {
  const { unready, metrics = () => Promise.resolve('') } = options;
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
    const metrics = () => Promise.resolve('');
    server = await serveProbes({ port: 0, host: '127.0.0.1', unready: () => undefined, metrics, deadLoopMs: 100 });
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
  it('have the names of controller-runtime', async () => {
    const metrics = new Metrics();
    metrics.reconciled('Widget', 'error', 0.2);
    metrics.request({ verb: 'apply', resource: 'services', code: '200', seconds: 0.01 });
    metrics.queueObserver('Widget').added?.('ns/w');
    metrics.leads('lease', true);
    const queues = { Widget: { depth: 3, active: 1, workers: 10 } };
    const { status, text } = await get('/metrics', {
      metrics: () => metrics.text(queues, [{ type: '/Pod', state: 'live', message: '', objects: 7 }]),
    });
    expect(status).toBe(200);
    for (const line of [
      'controller_runtime_reconcile_total{controller="Widget",result="error"} 1',
      'controller_runtime_reconcile_errors_total{controller="Widget"} 1',
      'controller_runtime_active_workers{controller="Widget"} 1',
      'controller_runtime_max_concurrent_reconciles{controller="Widget"} 10',
      'workqueue_depth{name="Widget"} 3',
      'workqueue_adds_total{name="Widget"} 1',
      'rest_client_requests_total{code="200",verb="apply",resource="services"} 1',
      'leader_election_master_status{name="lease"} 1',
      'trunnion_cache_objects{type="/Pod"} 7',
      'trunnion_cache_state{type="/Pod",state="live"} 1',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });

  it('that can not be collected are no reason to die', async () => {
    const metrics = () => Promise.reject(new Error('broken'));
    expect(await get('/metrics', { metrics })).toEqual({ status: 500, text: 'broken\n' });
  });
});
