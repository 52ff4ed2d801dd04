export type { State } from './progress.ts';
export { Reflector, type ChangeHandler, type ReflectorEvent, type ReflectorOptions, type Timing } from './reflector.ts';
export { Store, keyFor, keyOf, partsOf, type Change, type Indexer, type StoreOptions } from './store.ts';
export { isOlder } from './version.ts';
