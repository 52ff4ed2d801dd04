import type { Rejection } from '../api/index.ts';
import type { Step } from '../plan/index.ts';

/** Why a step was not carried out, once all was done about it that may be done. */
export type StepRejection = Exclude<Rejection, { readonly type: 'immutable' }>;

/** How an attempt at a step ended: done, where both are absent. */
export interface StepResult {
  readonly rejection?: StepRejection;
  /** The step to attempt instead. */
  readonly instead?: Step;
}

export const DONE: StepResult = {};
export const STALE: StepResult = { rejection: { type: 'stale' } };

/** What a rejected step leads to: where the object can't be changed, the plan says what to do about that. */
export function afterRejection(step: Step, rejection: Rejection): StepResult {
  if (rejection.type !== 'immutable') return { rejection };
  if (step.action !== 'apply' || step.ifImmutable === 'report') return { rejection: { ...rejection, type: 'refused' } };
  if (step.ifImmutable === 'leave') return DONE;
  return { instead: { action: 'replace', child: step.child, live: step.live } };
}
