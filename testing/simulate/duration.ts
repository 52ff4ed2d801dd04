import { SimulationError } from './errors.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds, or a number with a unit: `500ms`, `30s`, `10m`, `1h30m`, `7d`. */
export type Duration = number | string;

/**
 * A duration in milliseconds.
 *
 * @throws SimulationError where it is none
 */
export function millisecondsOf(duration: Duration): number {
  if (typeof duration === 'number' && Number.isFinite(duration) && duration >= 0) return duration;
  const parts = typeof duration === 'string' ? [...duration.matchAll(/(\d{1,9})(ms|s|m|h|d)/g)] : [];
  const isWhole = parts.length > 0 && parts.map(([text]) => text).join('') === duration;
  if (isWhole) return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
  throw new SimulationError(
    `a duration must be milliseconds, or whole numbers with units, as in 500ms, 30s, 10m, 1h30m, 7d (got ${JSON.stringify(duration)})`,
  );
}

/**
 * A time in milliseconds since the epoch.
 *
 * @throws SimulationError where it is none
 */
export function timeOf(time: number | string | Date): number {
  const ms = typeof time === 'number' ? time : new Date(time).getTime();
  if (Number.isFinite(ms)) return ms;
  throw new SimulationError(
    `now must be a Date, a time in RFC 3339 or milliseconds since the epoch, as in 2026-01-01T00:00:00Z (got ${String(time)})`,
  );
}
