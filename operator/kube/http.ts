/**
 * The parts of undici that requests take. All of it (fetch, WebSocket, caches, mocks) would take 11 MiB more, in each
 * thread that imports it.
 */
import type { Dispatcher } from 'undici';
import apiRequest from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';

export { Agent };

/** Sends a request by `dispatcher`. */
export function request(dispatcher: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
  return apiRequest.call(dispatcher, options);
}
