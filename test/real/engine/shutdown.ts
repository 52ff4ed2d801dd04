import { once } from 'node:events';
import type { Engine } from './server.ts';

/**
 * What vLLM 0.30.0 does on SIGTERM (entrypoints/launchers/launcher.py, serve_http), in this order; tried with vLLM itself:
 *
 * 1. It stops the engine. By default (`--shutdown-timeout` 0) it kills the engine's process at once (v1/utils.py, shutdown), so
 *    that requests in flight get nothing more, not even an end. Else they have that many seconds to end, those that wait
 *    as well, while /health is 200 and new requests are refused with 500.
 * 2. It stops listening, closes the connections that are at rest, and waits for the others without a limit (uvicorn 0.54.0,
 *    server.py, shutdown): until their clients leave, or the kubelet kills it.
 * 3. It ends with 0.
 *
 * After a drain, vLLM answers for some more seconds, in which its processes end; the light engine ends at once.
 */
export async function shutDown(engine: Engine, timeoutSeconds: number, log: (line: string) => void): Promise<void> {
  const mode = timeoutSeconds === 0 ? 'abort' : 'drain';
  log(`[shutdown] API server: stopping engine client mode=${mode} timeout=${timeoutSeconds}s`);
  await engine.scheduler.close(timeoutSeconds * 1_000);
  log('[shutdown] API server: shutting down FastAPI HTTP server');
  engine.closing = true;
  engine.server.close();
  await once(engine.server, 'close');
}
