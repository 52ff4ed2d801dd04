export type { EnqueueReason, WatchState } from './cache-options.ts';
export { typeName, type Made } from './cache-stores.ts';
export { Cache } from './cache.ts';
export { conflictError } from './conflicting-kinds.ts';
export { KindGate } from './kind-gate.ts';
export type { Reader, WriteLog } from './reader.ts';
export type { StayingCaches } from './staying-caches.ts';
