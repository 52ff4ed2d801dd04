import { largest, smallest } from '../../../../constructs/parts/values/index.ts';
import type { Attempt } from '../../api.ts';
import { durationWords } from './time.ts';

/** An attempt on the time line. */
export interface Bar {
  readonly label: string;
  readonly state: Attempt['state'];
  /** Where it begins, and how wide it is, in percent of the time line. */
  readonly x: number;
  readonly width: number;
  /** `failed after 12m` */
  readonly words: string;
  readonly message: string;
  /** Whether an earlier one has the same message. */
  readonly isAbove: boolean;
}

/** Attempts on one scale of time. */
export interface Timeline {
  readonly bars: readonly Bar[];
  /** The time since the first attempt began, and where it is in percent. */
  readonly ticks: readonly { readonly x: number; readonly words: string }[];
  /** Whether each message fits beside its bar; else all are below. */
  readonly isCompact: boolean;
  /** Earlier attempts that are left out. */
  readonly hidden: number;
}

/** So many attempts are shown unless all are asked for: a search may have hundreds. */
const FEW = 30;

/** What fits beside a bar, in characters. */
const SHORT = 24;

/** Less than this, in percent, nobody sees. */
const THINNEST = 0.6;

/**
 * Attempts on a time line, from the beginning of the first one that is shown.
 *
 * @param now - milliseconds since the epoch
 * @param all - whether each attempt is shown, however many there are
 */
export function timelineOf(attempts: readonly Attempt[], now: number, all = false): Timeline {
  const shown = all ? attempts : attempts.slice(-FEW);
  const spans = shown.map((attempt) => ({ attempt, ...spanOf(attempt, now) }));
  const begin = smallest(
    spans.map(({ start }) => start),
    now,
  );
  const end = largest(
    spans.map(({ stop }) => stop),
    begin,
  );
  const length = Math.max(1_000, end - begin);
  const percent = (time: number): number => rounded(((time - begin) / length) * 100);
  const seen = new Set<string>();
  return {
    bars: spans.map(({ attempt, start, stop }) => {
      const width = Math.max(THINNEST, percent(stop) - percent(start));
      const { label, state, message = '' } = attempt;
      const words = `${WORDS[state]} ${durationWords((stop - start) / 1000)}`;
      const isAbove = message !== '' && seen.has(message);
      seen.add(message);
      return {
        label,
        state,
        x: Math.min(percent(start), 100 - THINNEST),
        width: rounded(width),
        words,
        message,
        isAbove,
      };
    }),
    ticks: ticksOf(length / 1000).map((seconds) => ({
      x: rounded((seconds / (length / 1000)) * 100),
      words: seconds === 0 ? '0' : durationWords(seconds),
    })),
    isCompact: shown.every(({ message = '' }) => message.length <= SHORT),
    hidden: attempts.length - shown.length,
  };
}

const WORDS: Readonly<Record<Attempt['state'], string>> = {
  running: 'running for',
  succeeded: 'succeeded after',
  failed: 'failed after',
  interrupted: 'interrupted after',
};

/** Clocks differ: nothing ends before it begins. */
function spanOf({ startedAt, endedAt }: Attempt, now: number): { readonly start: number; readonly stop: number } {
  const start = timeOf(startedAt, now);
  return { start, stop: Math.max(start, timeOf(endedAt, now)) };
}

function timeOf(text: string | undefined, otherwise: number): number {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? otherwise : time;
}

const rounded = (percent: number): number => Math.round(percent * 100) / 100;

/** Steps that people count time in, in seconds. */
const STEPS = [
  1, 5, 15, 30, 60, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400, 172_800, 604_800, 2_592_000,
] as const;
const MOST_TICKS = 5;

/** Round times from 0 to a length in seconds, at most six of them. */
function ticksOf(length: number): readonly number[] {
  const step = STEPS.find((each) => length / each <= MOST_TICKS) ?? length / MOST_TICKS;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}
