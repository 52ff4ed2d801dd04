import { identityOf } from '../api/index.ts';
import type { ObservedChild } from '../api/index.ts';
import type { DesiredChild } from './plan.ts';

/**
 * What the cluster made of our applies where it is not what we sent. Admission has the last word (a policy that sends
 * images to a mirror, say), so to apply the same again would come to the same, forever. Kept in memory: after a
 * restart it is found out by one apply.
 */
export class AdmissionDrift {
  /** By the identity of the child. */
  readonly #known = new Map<string, { readonly wanted: string; readonly got: string }>();

  /** Takes note of how a child was answered. */
  note({ digest: wanted }: DesiredChild, live: ObservedChild): void {
    if (live.digest === wanted) this.#known.delete(identityOf(live));
    else this.#known.set(identityOf(live), { wanted, got: live.digest });
  }

  /** A live object passes for what we wanted as long as it is what the cluster made of that. */
  accept(live: ObservedChild): ObservedChild {
    const known = this.#known.get(identityOf(live));
    return known?.got === live.digest ? { ...live, digest: known.wanted } : live;
  }
}
