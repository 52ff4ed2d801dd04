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
export {
  difference,
  digestOf,
  digestOfOwned,
  extract,
  fieldAt,
  has,
  ownsPath,
  placesOf,
  union,
  within,
  type FieldSet,
  editsOf,
  type Edit,
} from './apply/index.ts';
export {
  Reflector,
  Store,
  isOlder,
  keyFor,
  keyOf,
  partsOf,
  type Change,
  type ChangeHandler,
  type Indexer,
  type ReflectorEvent,
  type ReflectorOptions,
  type State as ReflectorState,
  type StoreOptions,
  type Timing as ReflectorTiming,
} from './cache/index.ts';
export {
  AnswerTooLargeError,
  ApiError,
  KubeClient,
  StreamedAnswer,
  resourceType,
  TYPES,
  TransportError,
  apiVersionOf,
  connect,
  defaultConnection,
  ConnectionError,
  connectionTrouble,
  delayAfter,
  isExpired,
  isNotFound,
  isTooLarge,
  parseJson,
  pathOf,
  pause,
  sharedYield,
  variable,
  yieldToEventLoop,
  type ApplyOptions,
  type CallOptions,
  type Connection,
  type ConnectionSettings,
  type ConnectionSource,
  type DeleteOptions,
  type Gate,
  type KubeClientOptions,
  type KubeObject,
  type ListOptions,
  type LogStreamOptions,
  type ManagedFieldsEntry,
  type ObjectBody,
  type ObjectList,
  type ObjectMeta,
  type ObjectRef,
  type Observation,
  type OwnerReference,
  type PodLogOptions,
  type Query,
  type RawOptions,
  type ResourceType,
  type StatusDetails,
  type WriteOptions,
  type YieldToEventLoop,
} from './client/index.ts';
export { Discovery } from './discovery.ts';
export { EventRecorder, type EventNote, type EventRecorderOptions } from './events.ts';
export {
  ELECTION_TIMING,
  LeaderElection,
  NotLeaderError,
  type ElectionTiming,
  type LeaderElectionOptions,
} from './leaderelection/index.ts';
