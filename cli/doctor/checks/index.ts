import type { Check, Observed } from '../types.ts';
import { checkAccelerators } from './accelerators.ts';
import { checkCluster } from './cluster.ts';
import { checkExtensions } from './extensions.ts';
import { checkFit } from './fit.ts';
import { checkQuotas, checkResources, checkRights } from './namespace.ts';
import { checkOperator } from './operator.ts';
import { checkPolicies } from './policies.ts';
import { checkStorage } from './storage.ts';
import { checkCrds } from './crds.ts';

const CHECKS = [
  checkCluster,
  checkCrds,
  checkOperator,
  checkPolicies,
  checkAccelerators,
  checkStorage,
  checkExtensions,
  checkQuotas,
  checkResources,
  checkFit,
  checkRights,
] as const;

/** All that can be told of a cluster, in the order in which one thing needs another. */
export const check = (observed: Observed): readonly Check[] => CHECKS.flatMap((each) => each(observed));
