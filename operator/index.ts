export { conditionOf, settle, timestamp } from './engine/conditions.ts';
export type * from './engine/kind.ts';
export { createLogger, type Logger, type LogLevel } from './engine/log.ts';
export { makePlan, type DesiredChild, type Plan, type PlanInput, type Step, type Waiting } from './engine/plan.ts';
export { snapshotOf } from './engine/snapshot.ts';
export { allKinds, kinds } from './kinds/index.ts';
export { type OperatorOptions, runOperator } from './operator.ts';
export * from './kube/index.ts';
