export { computationQuery, type ComputationAnswer, type ComputationQuery } from './computation.ts';
export { amendStatus, conditionOf, instant, stampConditions, timestamp } from './conditions.ts';
export { FAILURE_REASONS, STALE_RETRY_MS, UNREACHED_RETRY_MS, rejectionOf, type Rejection } from './failures.ts';
export {
  familiesOf,
  figuresOf,
  statusIn,
  type Counter,
  type Family,
  type Figures,
  type Gauge,
  type LabelValues,
  type Sample,
  type Subject,
} from './figures.ts';
export { groupKind, groupOf, identityOf, nameOf, namedBy, typeAmong, type Named } from './identity.ts';
export type {
  BareStatus,
  ChildType,
  DesiredState,
  Failure,
  Kind,
  Manifest,
  OptionalType,
  Permission,
  PodMark,
  PodRemoval,
  RenderedChild,
  ResourceType,
  Result,
  SecretContent,
  SecretToMake,
  Snapshot,
  Unstamped,
} from './kind.ts';
export type { BareCondition, CommonStatus, Condition, Resource } from './resource.ts';
export { selectorQuery, selects, type LabelSelector } from './label-selector.ts';
export { MANAGED_BY_LABEL, STALLED, identityFor, type Identity, type IdentityOptions } from './operator-identity.ts';
export type { ContainerEnd, ObservedChild, ObservedContainer, ObservedPod } from './observed.ts';
export { isLeftAlone, pauseOf, pausedStatus } from './pause.ts';
export { POLICY_TYPES, isHostPolicy, isPolicy, podsCoveredBy } from './policy-types.ts';
export type {
  Answer,
  AskHandler,
  AskQuery,
  Listed,
  LogReport,
  Lookup,
  ObjectEvent,
  Query,
  Reading,
  Report,
  Unclear,
} from './queries.ts';
export { refusedStatus, unstamped } from './refused.ts';
export { runSteps, type LifecycleStep, type PartialResult } from './steps.ts';
