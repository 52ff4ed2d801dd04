/** How a quantity is written: with 1000-based suffixes, with 1024-based ones, or with an exponent of ten. */
type Notation = 'decimal' | 'binary' | 'exponent';

/** An amount in Kubernetes' notation, exactly. */
export interface Quantity {
  /** In billionths, Kubernetes' smallest unit; what is finer is rounded up, as it does. */
  readonly nanos: bigint;
  readonly notation: Notation;
}

const NANO = 1_000_000_000n;
/** A thousandth, in billionths. */
const MILLI = 1_000_000n;
const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const;
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;
const FORM = /^([+-])?(\d+(?:\.\d*)?|\.\d+)(?:(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE])|[eE]([+-]?\d{1,3}))?$/;

/** The longest amount, in characters: far more digits than anything has, and few enough to reckon with at once. */
const LONGEST = 128;

/** Parses an amount such as `500m`, `8` or `64Gi`; `undefined` where the text is none. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = text.length > LONGEST ? null : FORM.exec(text);
  if (match === null) return undefined;
  const [, sign, number = '', suffix = '', exponent] = match;
  const [whole = '', fraction = ''] = number.split('.');
  const binary = BINARY_SUFFIXES.indexOf(suffix as (typeof BINARY_SUFFIXES)[number]);
  const tens = exponent === undefined ? decimalExponent(suffix) : Number(exponent);
  const scale = 9 - fraction.length + (binary > 0 ? 0 : tens);
  const digits = BigInt(whole + fraction) * (binary > 0 ? 1024n ** BigInt(binary) : 1n);
  const magnitude = scale >= 0 ? digits * 10n ** BigInt(scale) : divideUp(digits, 10n ** BigInt(-scale));
  return {
    nanos: sign === '-' ? -magnitude : magnitude,
    notation: exponent === undefined ? (binary > 0 ? 'binary' : 'decimal') : 'exponent',
  };
}

/** Less than, equal to or greater than zero, as the first amount is to the second. */
export const compareQuantities = (a: Quantity, b: Quantity): number =>
  a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;

/**
 * An amount as the API server writes it back: no fraction, the greatest suffix that allows that, and nothing finer than
 * a thousandth, to which it rounds up resources. A manifest that says `0.5` would differ from the stored `500m` forever.
 *
 * @throws Error where the text is no amount
 */
export function canonicalQuantity(amount: string | number): string {
  const quantity = parseQuantity(String(amount));
  if (quantity === undefined) throw new Error(`${JSON.stringify(amount)} is no amount in Kubernetes' notation`);
  return format({ ...quantity, nanos: divideUp(quantity.nanos, MILLI) * MILLI });
}

/**
 * An amount that the API server keeps to a billionth, in the one form that it gives it, so that two spellings of it compare
 * equal. A text that is no amount stays as it is. The rules are those of `Quantity.String` in k8s.io/apimachinery.
 */
export function normalisedQuantity(text: string): string {
  const quantity = parseQuantity(text);
  return quantity === undefined ? text : format(quantity);
}

const decimalExponent = (suffix: string): number => {
  const index = DECIMAL_SUFFIXES.indexOf(suffix as (typeof DECIMAL_SUFFIXES)[number]);
  return index < 0 ? 0 : (index - 3) * 3;
};

/** Away from zero, as Kubernetes rounds. */
const divideUp = (a: bigint, b: bigint): bigint => (a < 0n ? (a - b + 1n) / b : (a + b - 1n) / b);

function format({ nanos, notation }: Quantity): string {
  if (nanos === 0n) return '0';
  const binary = notation === 'binary' && nanos % NANO === 0n && abs(nanos) >= 1024n * NANO;
  if (binary) {
    const [mantissa, steps] = reduce(nanos / NANO, 1024n, BINARY_SUFFIXES.length - 1);
    return `${mantissa}${BINARY_SUFFIXES[steps]}`;
  }
  const most = notation === 'exponent' ? Infinity : DECIMAL_SUFFIXES.length - 1;
  const [mantissa, steps] = reduce(nanos, 1000n, most);
  if (notation !== 'exponent') return `${mantissa}${DECIMAL_SUFFIXES[steps]}`;
  return steps === 3 ? `${mantissa}` : `${mantissa}e${(steps - 3) * 3}`;
}

/** Divides as often as it goes without a rest, at most `most` times. */
function reduce(value: bigint, base: bigint, most: number): readonly [bigint, number] {
  let steps = 0;
  while (steps < most && value % base === 0n) {
    value /= base;
    steps += 1;
  }
  return [value, steps];
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
