import { identityOf } from '../api/index.ts';
import type { Named, ObservedChild } from '../api/index.ts';
import { identityOfDesired, type DesiredChild } from '../plan/index.ts';

/**
 * The children that were found as the operator wants them. Where one of them is not as it was, and is wanted as before,
 * somebody else has changed or deleted it. Kept in memory: what happens while no operator runs is put back without a word.
 */
export class AsWanted {
  /** Digests by the identity of the child. */
  #found: ReadonlyMap<string, string> = new Map();

  /** Takes note of what a pass has found. What is no longer wanted is forgotten. */
  note(desired: readonly DesiredChild[], observed: readonly ObservedChild[]): void {
    const live = new Map(observed.map((child) => [identityOf(child), child.digest]));
    this.#found = new Map(
      desired.flatMap((child) => {
        const identity = identityOfDesired(child);
        const digest = live.get(identity) === child.digest ? child.digest : this.#found.get(identity);
        return digest === undefined ? [] : [[identity, digest]];
      }),
    );
  }

  /** Whether a child was there before as it is wanted now. */
  had(child: Pick<DesiredChild, 'object' | 'digest'>): boolean {
    return this.#found.get(identityOfDesired(child)) === child.digest;
  }

  /** What the operator itself deletes, nobody else does. */
  forget(live: Named): void {
    this.#found = new Map([...this.#found].filter(([identity]) => identity !== identityOf(live)));
  }
}
