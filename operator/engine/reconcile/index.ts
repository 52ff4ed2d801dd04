export { Controller } from './controller.ts';
export { passContext, type PassContext, type PassReport } from './pass-options.ts';
export { outcomeAfterError } from './pass-rules.ts';
export { PodProtection } from './pod-protection.ts';
export { ReconcileError } from './reconcile-errors.ts';
export { reconcile } from './reconcile.ts';
export type { StallReason } from './stalled.ts';
export type { ManualEdit } from './manual-edits.ts';
export { finishStatus, phaseEvent } from './status.ts';
