import { age } from '../../../layout.ts';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** A length of time, in the two largest units that it has: `1h 20m`. */
export function durationWords(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE) return `${whole}s`;
  if (whole < HOUR) return joined([Math.floor(whole / MINUTE), 'm'], [whole % MINUTE, 's']);
  if (whole < DAY) return joined([Math.floor(whole / HOUR), 'h'], [Math.floor((whole % HOUR) / MINUTE), 'm']);
  return joined([Math.floor(whole / DAY), 'd'], [Math.floor((whole % DAY) / HOUR), 'h']);
}

type Part = readonly [number, string];

const joined = (...parts: readonly Part[]): string =>
  parts.flatMap(([number, unit]) => (number === 0 ? [] : [`${number}${unit}`])).join(' ');

/** How long ago something was; empty where the time is none. */
export const ageWords = (since: string, now: number): string =>
  Number.isNaN(Date.parse(since)) ? '' : age(since, now);
