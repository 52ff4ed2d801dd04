/**
 * Quantities (`500m`, `1Gi`, `1e3`) in the one form that the API server gives them, so that two spellings of one amount
 * compare equal. The rules are those of `Quantity.String` in k8s.io/apimachinery.
 */

const QUANTITY = /^([+-]?)(\d+)(?:\.(\d*))?$|^([+-]?)\.(\d+)$/;
const PARTS = /^(.*?[\d.])([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/;

const DECIMAL: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const DECIMAL_SUFFIX: ReadonlyMap<number, string> = new Map([...DECIMAL].map(([suffix, power]) => [power, suffix]));

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** A quantity holds no less than this part of one; what is finer is rounded up, away from zero. */
const NANO = 10n ** 9n;

/** Longest text that is taken for a quantity: enough for any real one, and a bound on the work. */
const LONGEST = 64;

/** The canonical form of a quantity; what is none comes back as it is. */
export function canonicalQuantity(text: string): string {
  if (text.length > LONGEST) return text;
  const [, number = '', suffix = ''] = PARTS.exec(text) ?? [];
  const digits = QUANTITY.exec(number);
  if (digits === null) return text;
  const negative = (digits[1] ?? digits[4]) === '-';
  const fraction = digits[3] ?? digits[5] ?? '';
  const mantissa = BigInt((digits[2] ?? '') + fraction);
  const binary = BINARY.indexOf(suffix);
  const exponent = /^[eE][+-]?\d/.test(suffix) ? Number(suffix.slice(1)) : undefined;
  if (exponent !== undefined && Math.abs(exponent) > LONGEST) return text;
  const power = exponent ?? DECIMAL.get(suffix) ?? 0;
  const nanos = inNanos(binary > 0 ? mantissa * 1024n ** BigInt(binary) : mantissa, power - fraction.length);
  if (nanos === 0n) return '0';
  const canonical = binary > 0 && isBinary(nanos) ? inBinary(nanos / NANO) : inDecimal(nanos, exponent !== undefined);
  return negative ? `-${canonical}` : canonical;
}

/** `mantissa` × 10^`power` in billionths, rounded up. */
function inNanos(mantissa: bigint, power: number): bigint {
  const shift = power + 9;
  if (shift >= 0) return mantissa * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (mantissa + divisor - 1n) / divisor;
}

/** Powers of 1024 are used from 1024 on, and only where they lose nothing. */
function isBinary(nanos: bigint): boolean {
  return nanos >= 1024n * NANO && nanos % NANO === 0n;
}

function inBinary(amount: bigint): string {
  let [mantissa, power] = [amount, 0];
  while (mantissa % 1024n === 0n && power < BINARY.length - 1) [mantissa, power] = [mantissa / 1024n, power + 1];
  return `${mantissa}${BINARY[power]}`;
}

/** The largest power of 1000 that leaves an integer. */
function inDecimal(nanos: bigint, scientific: boolean): string {
  const largest = scientific ? Infinity : 18;
  let [mantissa, power] = [nanos, -9];
  while (mantissa % 1000n === 0n && power < largest) [mantissa, power] = [mantissa / 1000n, power + 3];
  if (scientific) return power === 0 ? `${mantissa}` : `${mantissa}e${power}`;
  return `${mantissa}${DECIMAL_SUFFIX.get(power)}`;
}
