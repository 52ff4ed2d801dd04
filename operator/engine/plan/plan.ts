import { groupKind, identityOf } from '../api/index.ts';
import type { DesiredState, Manifest, ObservedChild, ObservedPod } from '../api/index.ts';
import { isFinite, isReadyOnceMade, isWorkload, hasToStay, isOurs, isRevoked } from '../observe/index.ts';
import type { Observer } from '../observe/index.ts';

/** A child as the operator wants it: see decorate.ts. */
export interface DesiredChild extends DesiredState {
  /** To ask for it may mean to render it: see render-cache.ts. */
  readonly manifest: Manifest;
}

export interface PlanInput {
  /** In order: each after those that it waits for. */
  readonly desired: readonly DesiredChild[];
  /** The live objects; those that aren't ours are told, and not touched. */
  readonly observed: readonly ObservedChild[];
  /** UID of the resource that the children belong to. */
  readonly ownerUid: string;
  /**
   * Its pods: as long as there are some, a NetworkPolicy that is being deleted covers them, and is as good as any.
   *
   * @default - none
   */
  readonly pods?: readonly ObservedPod[];
  /**
   * Ids of children whose live object is to be deleted and created again.
   *
   * @default - none
   */
  readonly replace?: readonly string[];
  /**
   * Whether the resource is being deleted: nothing new is made then, or it would fight with the garbage collector.
   *
   * @default false
   */
  readonly deleting?: boolean;
  /**
   * What is said of the types of children, by group and kind: one with a rule for its readiness isn't ready as soon as it is
   * made.
   *
   * @default - nothing: Kubernetes' own rules hold
   */
  readonly types?: Observer['types'];
}

/** What a server that refuses an apply with "immutable" leads to. */
export type IfImmutable = 'replace' | 'leave' | 'report';

/** One thing to do. Those of `after` that are in the same plan must have been done first. */
export type Step =
  | { readonly action: 'create'; readonly child: DesiredChild }
  | {
      readonly action: 'apply';
      readonly child: DesiredChild;
      readonly live: ObservedChild;
      /** Paths that we own and leave out from now on: they are handed over first, at their present value. */
      readonly handOver: readonly string[];
      readonly ifImmutable: IfImmutable;
    }
  /** Deletes the live object; a later plan creates it again, once it is gone. */
  | { readonly action: 'replace'; readonly child: DesiredChild; readonly live: ObservedChild }
  /** Deletes what is no longer wanted. */
  | {
      readonly action: 'delete';
      readonly live: ObservedChild;
      /** Whether it is not to stay for the pods that it covers. */
      readonly atOnce?: true;
    };

/** Something that can't be done yet. */
export type Waiting =
  /** A child is held back until these children are ready. */
  | { readonly for: 'ready'; readonly child: DesiredChild; readonly ids: readonly string[] }
  /** An object is being deleted; if it is wanted, it is created again once it is gone. */
  | { readonly for: 'gone'; readonly live: ObservedChild }
  /** An object that is no longer wanted may be in use by pods until these workloads have rolled. */
  | { readonly for: 'unused'; readonly live: ObservedChild; readonly ids: readonly string[] };

/** What is to be done to get from the present state to the desired one. */
export interface Plan {
  /** In order. */
  readonly steps: readonly Step[];
  readonly waiting: readonly Waiting[];
  /** Objects that bear the name of a child and aren't ours. */
  readonly foreign: readonly { readonly child: DesiredChild; readonly live: ObservedChild }[];
  /** What is no longer wanted and still there. */
  readonly leaving: readonly ObservedChild[];
}

/** Kinds that pods read or write, and the Jobs that fill these. */
const USED_BY_PODS: ReadonlySet<string> = new Set([
  '/PersistentVolumeClaim',
  '/ConfigMap',
  '/Secret',
  '/ServiceAccount',
  'batch/Job',
]);

/** Says what to do next. Carried out again and again, it comes to an empty plan. */
export function makePlan(input: PlanInput): Plan {
  const live = new Map(input.observed.map((child) => [identityOf(child), child]));
  const wanted = new Set<string>();
  const upToDate = new Set<string>();
  const plan: Writable<Plan> = { steps: [], waiting: [], foreign: [], leaving: [] };
  for (const child of input.desired) {
    const identity = identityOfDesired(child);
    wanted.add(identity);
    if (planChild(child, live.get(identity), { ...input, upToDate, plan })) upToDate.add(child.id);
  }
  const rolling = input.desired.filter(({ id, object }) => isWorkload(object) && !upToDate.has(id)).map(({ id }) => id);
  const runsOn = input.deleting !== true && input.desired.some(({ object }) => isWorkload(object));
  for (const [identity, child] of live) {
    if (wanted.has(identity)) continue;
    if (runsOn && isRevoked(child, input.ownerUid)) {
      plan.leaving.push(child);
      plan.steps.push({ action: 'delete', live: child, atOnce: true });
    } else if (child.ownerUid === input.ownerUid) {
      planLeaving(child, input.deleting === true ? [] : rolling, plan);
    }
  }
  return plan;
}

/** Whether carrying the plan out may lose something that only the live objects tell. */
export const isDestructive = ({ steps }: Plan): boolean =>
  steps.some(
    (step) =>
      step.action === 'delete' ||
      step.action === 'replace' ||
      (step.action === 'apply' && step.ifImmutable === 'replace'),
  );

/**
 * Whether nothing is left to be waited for of what is no longer wanted: what runs, and what is in use by it. A policy that
 * stays for pods needs nobody to wait for it. Nor does what is being deleted and held by a finalizer of others (KEDA's of
 * a ScaledObject, a load balancer's of an Ingress), who may be away: it serves nobody any more, and goes without us.
 */
export const isAllGone = ({ leaving }: Plan): boolean =>
  leaving.every(
    (live) => live.staysFor !== undefined || (live.deleting && !isWorkload(live) && !USED_BY_PODS.has(groupKind(live))),
  );

/** The name of a desired child among live objects. */
export const identityOfDesired = ({ object }: Pick<DesiredChild, 'object'>): string => identityOf(object);

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };

const NO_TYPES: Observer['types'] = new Map();

interface Context extends PlanInput {
  /** Ids of the children that those after them need not wait for. */
  readonly upToDate: ReadonlySet<string>;
  readonly plan: Writable<Plan>;
}

/**
 * Plans one child.
 *
 * @returns whether it is up to date once the steps before are done: as we want it, and ready
 */
function planChild(child: DesiredChild, live: ObservedChild | undefined, context: Context): boolean {
  const { plan, ownerUid, upToDate, observed, pods = [], replace = [], deleting = false, types = NO_TYPES } = context;
  if (live !== undefined && !isOurs(live, ownerUid)) {
    plan.foreign.push({ child, live });
    return false;
  }
  // What stays for pods is in force for as long. Once there are none it is about to go: no pods are made until it is back.
  if (live?.deleting === true && !hasToStay(live, observed, pods)) {
    plan.waiting.push({ for: 'gone', live });
    return false;
  }
  if (live !== undefined && !deleting && replace.includes(child.id)) {
    plan.steps.push({ action: 'replace', child, live });
    return false;
  }
  if (live !== undefined && (child.createOnly === true || live.digest === child.digest)) return live.ready;
  if (live === undefined && deleting) return false;
  const unmet = child.after.filter((id) => !upToDate.has(id));
  if (unmet.length > 0) {
    plan.waiting.push({ for: 'ready', child, ids: unmet });
    return false;
  }
  plan.steps.push(live === undefined ? { action: 'create', child } : applyTo(child, live));
  return isReadyOnceMade(child.object, { types }) || (live !== undefined && isEnded(live));
}

/** The step that makes a live object of ours as wanted. */
export function applyTo(child: DesiredChild, live: ObservedChild): Step & { readonly action: 'apply' } {
  const handOver = child.unmanagedFields.filter((path) => live.owns.includes(path));
  return { action: 'apply', child, live, handOver, ifImmutable: ifImmutable(child, live) };
}

/** Labels of a Job may be corrected, but its template can't: it starts again, unless its work is done. */
function ifImmutable(child: DesiredChild, live: ObservedChild): IfImmutable {
  if (child.noReplace === true) return 'leave';
  if (!isFinite(live)) return 'report';
  return live.ready ? 'leave' : 'replace';
}

const isEnded = (live: ObservedChild): boolean => isFinite(live) && live.ready;

function planLeaving(live: ObservedChild, rolling: readonly string[], plan: Writable<Plan>): void {
  plan.leaving.push(live);
  if (live.deleting) plan.waiting.push({ for: 'gone', live });
  else if (rolling.length > 0 && USED_BY_PODS.has(groupKind(live))) {
    plan.waiting.push({ for: 'unused', live, ids: rolling });
  } else plan.steps.push({ action: 'delete', live });
}
