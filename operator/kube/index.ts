export { KubeClient } from './client.ts';
export { connect, type Connection, type ConnectionSettings, type ConnectionSource } from './connection.ts';
export { ApiError, isExpired, isNotFound, type StatusDetails, TransportError } from './errors.ts';
export type { Gate } from './gate.ts';
export type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  ListOptions,
  ObjectBody,
  ObjectList,
  ObjectRef,
  PodLogOptions,
  Query,
  RawOptions,
  WriteOptions,
} from './options.ts';
export type { State as ReflectorState } from './progress.ts';
export {
  type ChangeHandler,
  Reflector,
  type ReflectorEvent,
  type ReflectorOptions,
  type Timing as ReflectorTiming,
} from './reflector.ts';
export type { KubeClientOptions, Observation } from './requester.ts';
export { type Change, type Indexer, keyOf, Store, type StoreOptions } from './store.ts';
export * from './types.ts';
export { isOlder } from './version.ts';
