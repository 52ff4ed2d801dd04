export { canAnyRun, isProtected, letGoOf } from './letting-go.ts';
export { SharedLists, listAll, pagesOf } from './lists.ts';
export { controllerOf, observeChild, observePod } from './observe.ts';
export { observerOf, type Observer } from './observer.ts';
export { isFinite, isReadyOnceMade, isWorkload } from './ready.ts';
export { valueAt } from './slices.ts';
export {
  childSelector,
  isMadeFor,
  isOurs,
  labelledRefs,
  ownerRefs,
  podSelector,
  podsOf,
  snapshotFrom,
  snapshotOf,
  type IsServed,
  type KindId,
  type ResourceRef,
} from './snapshot.ts';
export { hasToStay, isRevoked, isToOutlivePods, protectedManifest, staysFor } from './staying.ts';
