/** What `faults()` is given and gives, and the parts of it for campaigns that put them together in another way. */
export { faults } from './faults.ts';
export { FaultsError } from './error.ts';
export type {
  FaultsKind,
  FaultsOperator,
  FaultsOptions,
  FaultsReport,
  FaultsStep,
  PlanChoice,
  PlanName,
  StepContext,
  Until,
  UntilObject,
} from './options.ts';
export type { Place } from './world.ts';
export type { PlanResult } from './campaign.ts';
