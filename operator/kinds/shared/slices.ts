import { compareQuantities, parseQuantity } from '../../../constructs/parts/values/index.ts';
import { objectIn } from '../../../constructs/schema/json.ts';
import type { ObservedChild } from '../../engine/api/index.ts';

/** A condition of a child, as far as kinds read it. */
export interface ChildCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

/** What kinds read of a Deployment. Counts that it does not tell are 0. */
export interface DeploymentState {
  /** Whether its controller has seen its newest generation. */
  readonly current: boolean;
  /** Replicas that it should have; Kubernetes' default is 1. */
  readonly desired: number;
  readonly replicas: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly conditions: readonly ChildCondition[];
}

/** What kinds read of a Job. */
export interface JobState {
  /** Its condition Complete, once it has done its work. */
  readonly complete?: ChildCondition;
  /** Whether it is about to end, one way or the other, and stops what still runs. */
  readonly ending: boolean;
  readonly suspended: boolean;
  /** Its condition Failed, once it has given up. */
  readonly failed?: ChildCondition;
  /** When it began to make pods; absent where it counts none. */
  readonly podsSince?: string;
}

/** What kinds read of a PersistentVolumeClaim. */
export interface ClaimState {
  readonly bound: boolean;
  /** Whether the volume that it was bound to is gone, and what was on it. */
  readonly lost: boolean;
  /** Absent where neither the claim nor the cluster named one. */
  readonly storageClassName?: string;
  /**
   * The least that it can be asked for, as a quantity: what its volume holds, or what was asked for where that is less,
   * since provisioners round up. Absent until it is bound.
   */
  readonly least?: string;
  /** Why it does not become as large as asked, in the driver's or the kubelet's words; absent where nobody says so. */
  readonly resizeError?: string;
}

export function deploymentState({ slice }: ObservedChild): DeploymentState {
  const status = objectIn(slice['status']);
  return {
    current: count(status['observedGeneration']) >= count(slice['generation']),
    desired: count(objectIn(slice['spec'])['replicas'], 1),
    replicas: count(status['replicas']),
    updated: count(status['updatedReplicas']),
    ready: count(status['readyReplicas']),
    available: count(status['availableReplicas']),
    conditions: conditionsIn(slice),
  };
}

/** Conditions of a Job that say that it has ended, or is about to. */
const ENDINGS: ReadonlySet<string> = new Set(['SuccessCriteriaMet', 'Complete', 'FailureTarget', 'Failed']);

export function jobState({ slice }: ObservedChild): JobState {
  const held = conditionsIn(slice).filter(({ status }) => status === 'True');
  const complete = held.find(({ type }) => type === 'Complete');
  const failed = held.find(({ type }) => type === 'Failed');
  const status = objectIn(slice['status']);
  const podsSince = ['active', 'succeeded', 'failed'].some((phase) => count(status[phase]) > 0)
    ? text(status['startTime'])
    : '';
  return {
    ending: held.some(({ type }) => ENDINGS.has(type)),
    suspended: objectIn(slice['spec'])['suspend'] === true,
    ...(complete && { complete }),
    ...(failed && { failed }),
    ...(podsSince !== '' && { podsSince }),
  };
}

export function claimState({ slice }: ObservedChild): ClaimState {
  const storageClassName = text(objectIn(slice['spec'])['storageClassName']);
  const { phase, capacity: capacities } = objectIn(slice['status']);
  const requests = objectIn(objectIn(objectIn(slice['spec'])['resources'])['requests']);
  const [holds, asked] = [text(objectIn(capacities)['storage']), text(requests['storage'])];
  const least = smaller(holds, asked);
  const resizeError = isSmaller(holds, asked) ? resizeErrorOf(slice) : undefined;
  return {
    bound: phase === 'Bound',
    lost: phase === 'Lost',
    ...(storageClassName !== '' && { storageClassName }),
    ...(least !== undefined && { least }),
    ...(resizeError !== undefined && { resizeError }),
  };
}

/**
 * What is said of a resize that fails (k8s.io/api 0.37.1, core/v1/types.go): conditions of these types, and statuses of
 * what the driver or the node can't do at all. The API's own description calls the latter Failed, as earlier releases did.
 */
const RESIZE_ERRORS: ReadonlySet<string> = new Set(['ControllerResizeError', 'NodeResizeError']);
const CANT_RESIZE = /^(?:Controller|Node)Resize(?:Infeasible|Failed)$/;

function resizeErrorOf(slice: ObservedChild['slice']): string | undefined {
  const error = conditionsIn(slice).find(({ type, status }) => RESIZE_ERRORS.has(type) && status === 'True');
  if (error) return error.message === '' ? error.type : error.message;
  const status = text(objectIn(objectIn(slice['status'])['allocatedResourceStatuses'])['storage']);
  return CANT_RESIZE.test(status) ? status : undefined;
}

function isSmaller(one: string, other: string): boolean {
  const [a, b] = [parseQuantity(one), parseQuantity(other)];
  return a !== undefined && b !== undefined && compareQuantities(a, b) < 0;
}

/** The smaller of a quantity and another one that may be missing. */
function smaller(one: string, other: string): string | undefined {
  if (parseQuantity(one) === undefined) return undefined;
  return isSmaller(other, one) ? other : one;
}

/** The conditions of any child. */
export function conditionsIn(slice: ObservedChild['slice']): readonly ChildCondition[] {
  const conditions = objectIn(slice['status'])['conditions'];
  if (!Array.isArray(conditions)) return [];
  return conditions.map(objectIn).map((condition) => ({
    type: text(condition['type']),
    status: text(condition['status']),
    reason: text(condition['reason']),
    message: text(condition['message']),
    lastTransitionTime: text(condition['lastTransitionTime']),
  }));
}

const count = (value: unknown, otherwise = 0): number => (typeof value === 'number' ? value : otherwise);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
