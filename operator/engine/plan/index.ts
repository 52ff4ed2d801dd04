export { AdmissionDrift } from './admission-drift.ts';
export { decorate, labelsFor, liesElsewhere, ownerReference } from './decorate.ts';
export { fieldManagersOf, isOperators, markOf } from './field-managers.ts';
export {
  applyTo,
  identityOfDesired,
  isAllGone,
  isDestructive,
  makePlan,
  type DesiredChild,
  type Plan,
  type PlanInput,
  type Step,
  type Waiting,
} from './plan.ts';
export { RenderCache } from './render-cache.ts';
