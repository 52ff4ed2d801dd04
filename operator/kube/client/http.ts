/**
 * The part of undici that sends requests. All of it (fetch, WebSocket, caches, mocks) would take 11 MiB more, in each
 * thread that imports it.
 */
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
