/** What text means that stands in YAML without quotes. */
export type PlainScalar =
  | { readonly is: 'text'; readonly value: string }
  | { readonly is: 'null'; readonly value: null }
  | { readonly is: 'bool'; readonly value: boolean }
  | { readonly is: 'int'; readonly value: bigint }
  | { readonly is: 'float'; readonly value: number };

/** Go's own table: resolve.go of go.yaml.in/yaml/v2. */
const WORDS: ReadonlyMap<string, PlainScalar> = new Map(
  (
    [
      [{ is: 'bool', value: true }, 'y Y yes Yes YES true True TRUE on On ON'],
      [{ is: 'bool', value: false }, 'n N no No NO false False FALSE off Off OFF'],
      [{ is: 'null', value: null }, ' ~ null Null NULL'],
      [{ is: 'float', value: Number.NaN }, '.nan .NaN .NAN'],
      [{ is: 'float', value: Infinity }, '.inf .Inf .INF +.inf +.Inf +.INF'],
      [{ is: 'float', value: -Infinity }, '-.inf -.Inf -.INF'],
    ] as const
  ).flatMap(([scalar, words]) => words.split(' ').map((word) => [word, scalar] as const)),
);

/** Of the integers that Go reads: int64, or uint64 where there is no sign. */
const SMALLEST = -(2n ** 63n);
const LARGEST = 2n ** 63n - 1n;
const LARGEST_UNSIGNED = 2n ** 64n - 1n;

const INTEGER = /^(?:0[xX][\dA-Fa-f]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9]\d*)$/;
const FLOAT = /^(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** What begins with a point may have single underscores between digits. */
const POINT_FLOAT = /^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/;

/**
 * What text without quotes and without a tag means, as `resolve.go` of go.yaml.in/yaml/v2 v2.4.3 has it, which
 * sigs.k8s.io/yaml v1.6.0 uses. Base 60 is text there, and so are dates.
 */
export function plainScalar(text: string): PlainScalar {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (text.startsWith('.')) return (POINT_FLOAT.test(text) ? float(text, 1) : undefined) ?? { is: 'text', value: text };
  if (!/^[-+\d]/.test(text)) return { is: 'text', value: text };
  const digits = text.replaceAll('_', '');
  const sign = /^[-+]/.test(digits) ? digits.slice(0, 1) : '';
  const rest = digits.slice(sign.length);
  return integer(sign, rest) ?? float(rest, sign === '-' ? -1 : 1) ?? { is: 'text', value: text };
}

function integer(sign: string, digits: string): PlainScalar | undefined {
  if (!INTEGER.test(digits)) return undefined;
  // A leading zero alone says octal.
  const size = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase());
  const value = sign === '-' ? -size : size;
  const fits = value >= SMALLEST && value <= (sign === '' ? LARGEST_UNSIGNED : LARGEST);
  return fits ? { is: 'int', value } : undefined;
}

/** Go keeps what is beyond its numbers as text. */
function float(digits: string, sign: 1 | -1): PlainScalar | undefined {
  const plain = digits.replaceAll('_', '');
  if (!FLOAT.test(plain)) return undefined;
  const value = sign * Number(plain);
  return Number.isFinite(value) ? { is: 'float', value } : undefined;
}
