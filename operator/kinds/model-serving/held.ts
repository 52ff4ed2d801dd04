import { instant } from '../../engine/api/index.ts';
import type { Drain } from './drain.ts';
import type { Observed } from './observed.ts';

/** How long children may take to go before they are told: most are gone at once, a volume once its pods have stopped. */
const SOON_MS = 30_000;

/** The children that are being deleted and don't go. */
export interface Held {
  /** As `ScaledObject llama`; none as long as it is too soon to tell. */
  readonly names: readonly string[];
  readonly requeueAt?: number;
}

/** What a service that is deleted waits for, or leaves behind for others to remove, once it is out of service. */
export function heldOf({ snapshot }: Observed, drain: Drain, now: number): Held {
  const isLeaving = snapshot.resource.metadata.deletionTimestamp !== undefined;
  const endedAt = instant(drain.status?.endedAt);
  if (!isLeaving || drain.lifecycle !== 'retired' || endedAt === undefined) return { names: [] };
  const names = snapshot.children
    .filter(({ deleting, staysFor }) => deleting && staysFor === undefined)
    .map(({ kind, name }) => `${kind} ${name}`)
    .toSorted();
  if (names.length === 0) return { names };
  return now < endedAt + SOON_MS ? { names: [], requeueAt: endedAt + SOON_MS } : { names };
}
