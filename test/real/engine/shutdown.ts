import { once } from 'node:events';
import type { Engine } from './server.ts';

/**
 * What vLLM 0.30.0 does on SIGTERM (entrypoints/launchers/launcher.py, serve_http), in this order:
 *
 * 1. It stops the engine, while HTTP still answers. By default (`--shutdown-timeout` 0) requests in flight are aborted at once;
 *    else they have that many seconds, and new ones are aborted (v1/engine/core.py, _handle_shutdown). /health is 503
 *    once the engine is stopped.
 * 2. It stops listening, closes the connections that are at rest, and waits for the others without a limit (uvicorn
 *    0.54.0, server.py, shutdown).
 * 3. It ends with 0.
 *
 * Here an aborted request always gets its end, with the reason `abort` and, in a stream, `[DONE]`, which is what the engine
 * sends. With a timeout of 0, vLLM kills the process of its engine right after SIGTERM (v1/utils.py, shutdown), so that this end
 * may get lost; then the client waits until the kubelet kills the container. A client that counts tokens sees both as a
 * failure.
 */
export async function shutDown(engine: Engine, timeoutSeconds: number, log: (line: string) => void): Promise<void> {
  const mode = timeoutSeconds === 0 ? 'abort' : 'drain';
  log(`[shutdown] API server: stopping engine client mode=${mode} timeout=${timeoutSeconds}s`);
  await engine.scheduler.close(timeoutSeconds * 1_000);
  engine.healthy = false;
  log('[shutdown] API server: shutting down FastAPI HTTP server');
  engine.closing = true;
  engine.server.close();
  await once(engine.server, 'close');
}
