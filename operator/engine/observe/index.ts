export { canAnyRun, isProtected, letGoOf } from './letting-go.ts';
export { SharedLists, listAll, pagesOf } from './lists.ts';
export { controllerOf, observeChild, observePod } from './observe.ts';
export { isFinite, isWorkload } from './ready.ts';
export { valueAt } from './slices.ts';
export {
  CHILD_SELECTOR,
  POD_SELECTOR,
  isMadeFor,
  isOurs,
  labelledRefs,
  ownerRefs,
  snapshotFrom,
  snapshotOf,
  type IsServed,
  type KindId,
  type ResourceRef,
} from './snapshot.ts';
export { hasToStay, isRevoked, isToOutlivePods, protectedManifest, staysFor } from './staying.ts';
