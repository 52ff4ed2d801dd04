export { Controller } from './controller.ts';
export { PodProtection } from './pod-protection.ts';
export type { StallReason } from './stalled.ts';
export type { ManualEdit } from './manual-edits.ts';
export { finishStatus, phaseEvent } from './status.ts';
