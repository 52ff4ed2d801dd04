import { largest, smallest } from '../../../constructs/parts/values/index.ts';
import type { DrawnSearch, ParameterScale } from '../search.ts';

/** An axis of numbers, as it is drawn. */
export interface NumberScale {
  readonly type: 'linear' | 'log';
  /** The numbers at its ends; the first is less. */
  readonly domain: readonly [number, number];
  /** The numbers at its ticks, or how many ticks there are about. */
  readonly ticks: readonly number[] | number;
  /** A number as it is shown at a tick. */
  readonly label: (value: number) => string;
}

/** Beyond it, the width of a range is more than a double holds. */
const FAR = 1e300;
/** Numbers that are nearer to each other, as a share of their size, are drawn as one. */
const NEAR = 1e-6;
/** Where the best of many values is less than the others by such a factor, a linear scale hides what tells good ones apart. */
const DECADES = 100;
/** A target further from the values than so many times their spread is not drawn: it would flatten all of them. */
const MOST_AWAY = 2;
const TICKS = 5;

/** The axis of the metric. */
export interface MetricScale extends NumberScale {
  /** The target, where it is on the axis. */
  readonly target?: number;
}

/** A value where an axis has it. */
export const within = ({ domain: [low, high] }: NumberScale, value: number): number =>
  Math.min(Math.max(value, low), high);

/**
 * The axis of the metric.
 *
 * It is logarithmic where values are above 0 and span decades. Where high values are good, those at the low end may be
 * outliers, so that half of the values have to span one.
 */
export function metricScale({ points, goal, target }: Pick<DrawnSearch, 'points' | 'goal' | 'target'>): MetricScale {
  const values = points.map(({ value }) => Math.min(Math.max(value, -FAR), FAR)).toSorted((a, b) => a - b);
  if (values.length === 0) return numberScale('linear', [0, 1], false);
  const isLog = spansDecades(values, goal) && (target === undefined || target > 0);
  const [to, from] = isLog
    ? [Math.log10, (exponent: number) => 10 ** exponent]
    : [(value: number) => value, (value: number) => value];
  const [low, high] = [to(smallest(values)), to(largest(values))];
  const reach = MOST_AWAY * (high - low || Math.abs(high) || 1);
  const goes = target === undefined ? [] : [to(target)].filter((at) => at >= low - reach && at <= high + reach);
  const ends = widened(smallest([low, ...goes]), largest([high, ...goes]));
  const scale = numberScale(isLog ? 'log' : 'linear', [from(ends[0]), from(ends[1])], false);
  return target === undefined || goes.length === 0 ? scale : { ...scale, target };
}

function spansDecades(sorted: readonly number[], goal: DrawnSearch['goal']): boolean {
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  if (!(at(0) > 0) || at(1) / at(0) < DECADES) return false;
  return goal === 'minimize' || at(0.75) / at(0.25) >= Math.sqrt(DECADES);
}

/** The axis of a parameter that is a number; undefined where its values are drawn one beside the other. */
export function parameterScale(scale: ParameterScale): NumberScale | undefined {
  if (scale.type === 'values') return undefined;
  const [min, max] = [Math.max(scale.min, -FAR), Math.min(scale.max, FAR)];
  const isLog = scale.type === 'log' && (min > 0 || max < 0) && min < max;
  const domain = isLog && Math.abs(max / min - 1) > NEAR ? ([min, max] as const) : widened(min, max);
  return numberScale(isLog ? 'log' : 'linear', domain, scale.whole);
}

/** Two ends that differ by enough to have ticks between them. */
function widened(low: number, high: number): readonly [number, number] {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > Math.max(NEAR * size, 1 / FAR)) return [low, high];
  const margin = size > 1 / FAR / NEAR ? size / 10 : 1;
  return [low - margin, high + margin];
}

/** The axis of trials, of which there is one at least. */
export const trialScale = (last: number): NumberScale =>
  last > 1 ? numberScale('linear', [1, last], true) : { ...numberScale('linear', [0, 2], true), ticks: [1] };

function numberScale(type: NumberScale['type'], domain: readonly [number, number], whole: boolean): NumberScale {
  if (type === 'log') return { type, domain, ticks: logTicks(domain), label: (value) => rounded(value, TICKS) };
  const [low, high] = domain;
  const size = Math.max(Math.abs(low), Math.abs(high));
  // As many digits as tell one tick from the next, and one more.
  const digits = Math.min(9, Math.max(2, Math.ceil(Math.log10((size / (high - low)) * TICKS)) + 1));
  const few = whole && high - low <= TICKS ? integers(low, high) : [];
  return {
    type,
    domain,
    ticks: few.length > 0 ? few : TICKS,
    label: (value) => rounded(value, Math.max(digits, whole ? 9 : 0)),
  };
}

/** What is smaller or larger is shown by its power of ten: it is short. */
const PLAIN = { from: 1e-3, to: 1e7 };

function rounded(value: number, digits: number): string {
  const near = Number(value.toPrecision(digits));
  const size = Math.abs(near);
  return size !== 0 && (size < PLAIN.from || size >= PLAIN.to) ? near.toExponential() : String(near);
}

function integers(low: number, high: number): readonly number[] {
  const first = Math.ceil(low);
  return Array.from({ length: Math.floor(high) - first + 1 }, (_, i) => first + i);
}

/** Powers of ten; where there are less than two of them, also 2 and 5 times one; and the ends where there are none of these. */
function logTicks([low, high]: readonly [number, number]): readonly number[] {
  if (high < 0)
    return logTicks([-high, -low])
      .map((tick) => -tick)
      .toReversed();
  const exponents = integers(Math.log10(low) - 1, Math.log10(high));
  const isWithin = (tick: number) => tick >= low * (1 - NEAR) && tick <= high * (1 + NEAR);
  const step = Math.ceil(exponents.length / (TICKS + 1));
  const decades = exponents.map((exponent) => Number(`1e${exponent}`)).filter(isWithin);
  if (decades.length > 2) return decades.filter((_, i) => i % step === 0);
  const more = exponents
    .flatMap((exponent) => [1, 2, 5].map((factor) => Number(`${factor}e${exponent}`)))
    .filter(isWithin);
  return more.length > 1 ? more : [low, high];
}
