import { instant } from '../../engine/api/index.ts';
import type { Why } from '../shared/conditions.ts';
import type { Context, Drain, Held, Part } from './context.ts';
import { requestsCut } from './drain.ts';
import type { Observed } from './observed.ts';

/** How long children may take to go before they are told: most are gone at once, a volume once its pods have stopped. */
const SOON_MS = 30_000;

/** Once it is out of service, and was deleted, it may go. */
export const retire = ({ observed, drain, held }: Context): Part => ({
  ...(drain.lifecycle === 'retired' && isDeleted(observed) && { release: true }),
  ...(held.requeueAt !== undefined && { requeueAt: held.requeueAt }),
});

const isDeleted = ({ snapshot }: Observed): boolean => snapshot.resource.metadata.deletionTimestamp !== undefined;

/** What a service that is deleted waits for, or leaves behind for others to remove, once it is out of service. */
export function heldOf(observed: Observed, drain: Drain, now: number): Held {
  const endedAt = instant(drain.status?.endedAt);
  if (!isDeleted(observed) || drain.lifecycle !== 'retired' || endedAt === undefined) return { names: [] };
  const names = observed.snapshot.children
    .filter(({ deleting, staysFor }) => deleting && staysFor === undefined)
    .map(({ kind, name }) => `${kind} ${name}`)
    .toSorted();
  if (names.length === 0) return { names };
  return now < endedAt + SOON_MS ? { names: [], requeueAt: endedAt + SOON_MS } : { names };
}

/** How far it has gone out of service. */
export function leaving({ observed, drain, held }: Pick<Context, 'observed' | 'drain' | 'held'>): Why {
  const { spec, snapshot } = observed;
  const where = spec.successor === undefined ? '' : ` Its users should go to ${spec.successor}.`;
  const trouble = snapshot.failures.map(({ message }) => ` ${message}.`).join('');
  if (drain.lifecycle === 'draining') {
    const within = `requests in flight have ${spec.drain.timeoutSeconds} s to end`;
    return { reason: 'Draining', message: `No new request is taken; ${within}.${where}${trouble}` };
  }
  const cut = requestsCut(drain.status);
  const end = cut === 0 ? '' : ` ${cut} requests were cut after ${spec.drain.timeoutSeconds} s.`;
  const back = spec.retired ? ' Set retired to false to bring it back.' : '';
  const waits =
    held.names.length === 0
      ? ''
      : ` These are still being deleted, held by a finalizer or in use: ${held.names.join(', ')}.`;
  return { reason: 'Retired', message: `It is out of service.${end}${where}${back}${waits}${trouble}` };
}
