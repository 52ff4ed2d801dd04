/** Whether equal steps or equal factors count the same. */
export type Scale = 'linear' | 'log';

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly scale: Scale;
}

/** Numbers as coordinates from 0 to 1, and back. */
interface Coordinates {
  /** Never less than 0 nor more than 1, whatever the number is. */
  readonly encode: (value: number) => number;
  readonly decode: (u: number) => number;
}

/** Significant digits of values: more than any training tells apart, and few enough to be read. */
const DIGITS = 7;

/** What it takes to write any double. */
const MOST_DIGITS = 17;

/** The most that `toFixed` takes; numbers that need more are written as they are. */
const MOST_DECIMALS = 100;

/** Coordinates of a range. A scale is logarithmic where both ends are above 0, or both are below. */
export function scaleOf({ min, max, scale }: Bounds): Coordinates {
  if (scale === 'linear' || !(min > 0 || max < 0)) return linear(min, max);
  const sign = Math.sign(min);
  const [low, high] = sign > 0 ? [min, max] : [-max, -min];
  const { encode, decode } = logarithmic(low, high);
  if (sign > 0) return { encode, decode };
  return { encode: (value) => 1 - encode(-value), decode: (u) => -decode(1 - u) };
}

function linear(min: number, max: number): Coordinates {
  // The width of a range may be more than a double holds; that of half the range is not.
  const part = Number.isFinite(max - min) ? 1 : 0.5;
  const [low, width] = [min * part, max * part - min * part];
  return {
    encode: (value) => within(width === 0 ? 0 : (value * part - low) / width),
    decode: (u) => (low + u * width) / part,
  };
}

/** Of positive numbers. */
function logarithmic(min: number, max: number): Coordinates {
  // The logarithms of two numbers that are close are too close themselves; that of their ratio is exact.
  if (max / min < Math.E) {
    const width = Math.log(max / min);
    return {
      encode: (value) => within(width === 0 ? 0 : Math.log(value / min) / width),
      decode: (u) => min * Math.exp(u * width),
    };
  }
  const [low, high] = [Math.log(min), Math.log(max)];
  return {
    encode: (value) => within((Math.log(value) - low) / (high - low)),
    decode: (u) => Math.exp(low + u * (high - low)),
  };
}

const within = (u: number): number => (u > 0 ? Math.min(u, 1) : 0);

/**
 * Rounds to what is worth telling apart: to seven digits of the range's width, and on a logarithmic scale, where small
 * values count as much as large ones, to seven digits of the value at least.
 */
export function decimalRounding({ min, max, scale }: Bounds): (value: number) => number {
  const width = magnitude(max - min);
  if (scale === 'linear') {
    const decimals = Math.max(0, DIGITS - 1 - width);
    return (value) => (decimals > MOST_DECIMALS ? value : Number(value.toFixed(decimals)));
  }
  return (value) => {
    const digits = DIGITS + Math.max(0, magnitude(value) - width);
    return Number(value.toPrecision(Math.min(digits, MOST_DIGITS)));
  };
}

/** The power of ten below a number. */
const magnitude = (value: number): number => Math.floor(Math.log10(Math.abs(value)));
