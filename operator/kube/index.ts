/**
 * The API server as an operator sees it: a client that survives what servers and networks do, caches that never go back
 * in time, server-side apply without needless writes, and a lease that is checked before each write. It knows nothing of
 * the kinds that an operator is for.
 *
 * ```ts
 * const settings = { from: 'kubeconfig' } as const;
 * const election = new LeaderElection({ connection: settings, lease, identity, changed: (leading) => log(leading) });
 * const client = new KubeClient({ connection: connect(settings), gate: election.gate });
 * const store = new Store({ transform: ({ metadata, spec }) => ({ uid: metadata.uid, spec }) });
 * const reflector = new Reflector({ client, type: widgets, store });
 * reflector.onChange(({ key }) => queue.add(key));
 * reflector.start();
 * await reflector.synced;
 * ```
 */
export { KubeClient } from './client.ts';
export { connect, type Connection, type ConnectionSettings, type ConnectionSource } from './connection.ts';
export { Discovery } from './discovery.ts';
export { ELECTION_TIMING, type ElectionTiming } from './election.ts';
export { AnswerTooLargeError, ApiError, isExpired, isNotFound, TransportError } from './errors.ts';
export type { StatusDetails } from './status-body.ts';
export { type EventNote, EventRecorder, type EventRecorderOptions } from './events.ts';
export type { Gate } from './gate.ts';
export { LeaderElection, type LeaderElectionOptions, NotLeaderError } from './lease.ts';
export type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  ListOptions,
  LogStreamOptions,
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
export { variable } from './variables.ts';
