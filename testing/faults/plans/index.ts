import { crashPlans } from './crash.ts';
import { lifecyclePlans } from './lifecycle.ts';
import type { Plan, Scene } from './plan.ts';
import { stalePlans } from './stale.ts';
import { transportPlans } from './transport.ts';
import { unobservedPlans } from './unobserved.ts';
import { writePlans } from './writes.ts';

/** All plans for a scenario. */
export const allPlans = (scene: Scene): readonly Plan[] => [
  ...crashPlans(scene),
  ...stalePlans(scene),
  ...unobservedPlans(scene),
  ...transportPlans(scene),
  ...writePlans(scene),
  ...lifecyclePlans(scene),
];
