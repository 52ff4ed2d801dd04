export { KubeClient } from './client.ts';
export { connect, type Connection, type ConnectionSettings, type ConnectionSource } from './connection.ts';
export { Discovery } from './discovery.ts';
export { ELECTION_TIMING, type ElectionTiming } from './election.ts';
export { ApiError, isExpired, isNotFound, type StatusDetails, TransportError } from './errors.ts';
export { type EventNote, EventRecorder, type EventRecorderOptions } from './events.ts';
export type { Gate } from './gate.ts';
export { LeaderElection, type LeaderElectionOptions, NotLeaderError } from './lease.ts';
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
export { digestOf, digestOfOwned, extract, ownsPath } from './owned-fields.ts';
export type { State as ReflectorState } from './progress.ts';
export { canonicalQuantity } from './quantity.ts';
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
