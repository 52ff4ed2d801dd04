import { hash } from 'node:crypto';
import { DeadlineError, Watchdog } from '../engine/telemetry/index.ts';
import { type Call, ConversionError } from './convert.ts';

/** How long a spec that took too long is refused without another try, in milliseconds. */
const REFUSED_MS = 60_000;

/** Most of them that are remembered. */
const MOST = 1_000;

/** Whom the watchdog would name: a conversion is not for one resource alone. */
const NOBODY = { kind: '', namespace: '', name: '' };

/**
 * Calls functions of kinds under the engine's watchdog. The API server asks again and again for an object that it does
 * not get converted, so one that took too long is refused at once for some time: the main loop has more to do.
 *
 * @param now - milliseconds since the epoch
 */
export function slowSpecs(now: () => number, deadlineMs?: number): Call {
  const watchdog = new Watchdog({ now, ...(deadlineMs !== undefined && { deadlineMs }) });
  const refusedUntil = new Map<string, number>();

  return (work, { where, spec }) => {
    // Nothing is slow as a rule, and then no digest is needed.
    const known = refusedUntil.size === 0 ? 0 : (refusedUntil.get(digestOf(where, spec)) ?? 0);
    if (known > now())
      throw new ConversionError('it took too long for this spec before; it is tried again in a minute');
    try {
      return watchdog.watch(NOBODY, 'convert', work, () => undefined);
    } catch (error) {
      if (error instanceof DeadlineError) {
        const [oldest] = refusedUntil.keys();
        if (refusedUntil.size >= MOST && oldest !== undefined) refusedUntil.delete(oldest);
        refusedUntil.set(digestOf(where, spec), now() + REFUSED_MS);
      }
      throw error;
    }
  };
}

const digestOf = (where: string, spec: object): string => hash('sha256', `${where} ${JSON.stringify(spec)}`, 'base64');
