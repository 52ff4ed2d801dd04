/** A known bug, planted to prove that the campaign finds it: an edit of a source file. */
export interface Bug {
  readonly name: string;
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The kind whose scenario must find it. */
  readonly kind: string;
  /** Part of the id and name of the plans that must find it. */
  readonly foundBy: string;
}

/** Bugs that operators have really had. */
export const bugs: readonly Bug[] = [
  {
    name: 'finalizer removed before cleanup',
    file: 'operator/engine/reconcile/pass-rules.ts',
    find: 'result.release === true && isAllGone(plan)',
    replace: 'plan.leaving.length >= 0',
    kind: 'ModelServing',
    foundBy: 'F1 deleted twice',
  },
  {
    name: 'a phase kept in memory',
    file: 'operator/kinds/model-serving/drain.ts',
    find: '  const { drain } = observed.status;',
    replace: `  const seen: Set<string> = ((globalThis as { drains?: Set<string> }).drains ??= new Set());
  const { uid } = metadata;
  const drain = seen.has(uid) ? observed.status.drain : void seen.add(uid);`,
    kind: 'ModelServing',
    foundBy: 'E7 restarted at rest',
  },
  {
    name: 'no owner check on what exists already',
    file: 'operator/engine/reconcile/execute-step.ts',
    find: "if (rejectionOf(error).type !== 'stale') throw error;\n  }\n  const object",
    replace: 'throw error;\n  }\n  const object',
    kind: 'AgentService',
    foundBy: 'F3 the label and the owner of all children',
  },
  {
    name: 'no UID precondition',
    file: 'operator/engine/reconcile/execute-step.ts',
    find: "{ uid, resourceVersion, propagationPolicy: 'Background', mustExist: true, ...call(context) }",
    replace: "{ propagationPolicy: 'Background', mustExist: true, ...call(context) }",
    kind: 'ModelServing',
    foundBy: 'B1 deployments: a restart, right after one was made',
  },
  {
    name: 'an event missed at relist',
    file: 'operator/kube/cache/reflector.ts',
    find: 'for (const change of this.store.retain(listed, version)) this.#announce(change);',
    replace: '',
    kind: 'ModelServing',
    foundBy: 'C2 pods: deletions are never reported',
  },
  {
    name: 'an apply without no-op check',
    file: 'operator/engine/plan/plan.ts',
    find: 'live.digest === child.digest',
    replace: 'live.digest === ""',
    kind: 'AgentService',
    foundBy: 'E7 restarted at rest',
  },
];

/** Found by a pair of operators: see test/leadership. */
export const leadershipBug: Omit<Bug, 'kind'> = {
  name: 'a write by a deposed leader',
  file: 'operator/kube/leaderelection/lease.ts',
  find: 'return !this.#stopped && clock() < this.#state.leadUntil;',
  replace: 'return !this.#stopped;',
  foundBy: 'hand over when only the renewals of the leader get lost',
};
