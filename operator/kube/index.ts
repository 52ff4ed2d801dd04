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
export { KubeClient } from './client/client.ts';
export { connect, type Connection, type ConnectionSettings, type ConnectionSource } from './client/connection.ts';
export { Discovery } from './discovery.ts';
export { ELECTION_TIMING, type ElectionTiming } from './leaderelection/election.ts';
export { AnswerTooLargeError, ApiError, isExpired, isNotFound, TransportError } from './client/errors.ts';
export type { StatusDetails } from './client/status-body.ts';
export { type EventNote, EventRecorder, type EventRecorderOptions } from './events.ts';
export type { Gate } from './client/gate.ts';
export { LeaderElection, type LeaderElectionOptions, NotLeaderError } from './leaderelection/lease.ts';
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
} from './client/options.ts';
export { digestOf, digestOfOwned, extract, ownsPath } from './apply/owned-fields.ts';
export type { State as ReflectorState } from './cache/progress.ts';
export { canonicalQuantity } from './apply/quantity.ts';
export {
  type ChangeHandler,
  Reflector,
  type ReflectorEvent,
  type ReflectorOptions,
  type Timing as ReflectorTiming,
} from './cache/reflector.ts';
export type { KubeClientOptions, Observation } from './client/requester.ts';
export { type Change, type Indexer, keyOf, Store, type StoreOptions } from './cache/store.ts';
export * from './client/types.ts';
export { isOlder } from './cache/version.ts';
export { variable } from './client/variables.ts';
