/** A known bug, planted to prove that the campaign finds it: an edit of a source file. */
export interface Bug {
  readonly name: string;
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Part of the name of the plans that must find it. */
  readonly foundBy: string;
}

/** Bugs that operators have really had. */
export const bugs: readonly Bug[] = [
  {
    name: 'finalizer removed before cleanup',
    file: 'operator/engine/pass.ts',
    find: 'decision.release === true && plan.leaving.length === 0',
    replace: 'plan.leaving.length >= 0',
    foundBy: 'killed after every write',
  },
  {
    name: 'an apply without no-op check',
    file: 'operator/engine/plan.ts',
    find: 'live.digest === child.digest',
    replace: 'live.digest === ""',
    foundBy: 'writes conflict',
  },
  {
    name: 'an event missed at relist',
    file: 'operator/kube/reflector.ts',
    find: 'for (const change of this.store.retain(listed, version)) this.#announce(change);',
    replace: '',
    foundBy: 'frames are lost',
  },
  {
    name: 'a cache that goes back in time',
    file: 'operator/kube/store.ts',
    find: 'known.version === version || isOlder(version, known.version)',
    replace: 'known.version === version',
    foundBy: 'old states come again',
  },
  {
    name: 'no owner check on what exists already',
    file: 'operator/engine/execute.ts',
    find: "if (failureOf(error).type !== 'stale') throw error;\n      return this.#take(child);",
    replace: 'throw error;',
    foundBy: 'before the answer of write',
  },
  {
    name: 'a phase kept in memory',
    file: 'operator/engine/status.ts',
    find: 'export const isWritten = (resource: Resource, status: CommonStatus): boolean =>',
    replace:
      'const told = new Set<string>();\nexport const isWritten = (resource: Resource, status: CommonStatus): boolean =>\n  (told.has(resource.metadata.uid + status.phase) || !told.add(resource.metadata.uid + status.phase)) ||',
    foundBy: 'killed after every write',
  },
];
