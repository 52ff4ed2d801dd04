import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalisedQuantity } from '../../../constructs/parts/values/quantity.ts';

test.each([
  // From the documentation and tests of k8s.io/apimachinery/pkg/api/resource.
  ['0', '0'],
  ['0n', '0'],
  ['0Ki', '0'],
  ['0.0001k', '100m'],
  ['0.5', '500m'],
  ['.5', '500m'],
  ['1.5', '1500m'],
  ['+1', '1'],
  ['-1', '-1'],
  ['-0.5', '-500m'],
  ['100m', '100m'],
  ['1000m', '1'],
  ['2000m', '2'],
  ['1000', '1k'],
  ['1500', '1500'],
  ['10000', '10k'],
  ['1000000000', '1G'],
  ['1e3', '1e3'],
  ['1E3', '1e3'],
  ['1e2', '100'],
  ['1e-3', '1e-3'],
  ['123456e3', '123456e3'],
  ['1Ki', '1Ki'],
  ['1024Mi', '1Gi'],
  ['1500Mi', '1500Mi'],
  ['1.5Gi', '1536Mi'],
  ['0.5Ki', '512'],
  ['1.0001Ki', '1024102400u'],
  ['0.1n', '1n'],
  ['1.1n', '2n'],
  ['100E', '100E'],
  ['5Ei', '5Ei'],
])('%s is %s', (written, canonical) => {
  expect(normalisedQuantity(written)).toBe(canonical);
});

test.each(['', 'm', '.', '1.2.3', '1 Gi', '1gi', 'abc', '1e', '1e999999999', '0x10', '50%', 'x'.repeat(1e5)])(
  '%s is none, and stays as it is',
  (text) => {
    expect(normalisedQuantity(text)).toBe(text);
  },
);

const SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'Ki', 'Mi', 'Gi', 'Ti', 'e0', 'e3', 'e-3', 'e7'];
const quantity = fc
  .tuple(fc.boolean(), fc.nat(999_999), fc.option(fc.nat(9_999)), fc.constantFrom(...SUFFIXES))
  .map(([minus, whole, part, suffix]) => `${minus ? '-' : ''}${whole}${part === null ? '' : `.${part}`}${suffix}`);

const FACTORS: Readonly<Record<string, [bigint, bigint]>> = {
  n: [1n, 10n ** 9n],
  u: [1n, 10n ** 6n],
  m: [1n, 1000n],
  '': [1n, 1n],
  k: [1000n, 1n],
  M: [10n ** 6n, 1n],
  G: [10n ** 9n, 1n],
  T: [10n ** 12n, 1n],
  P: [10n ** 15n, 1n],
  E: [10n ** 18n, 1n],
  Ki: [1024n, 1n],
  Mi: [1024n ** 2n, 1n],
  Gi: [1024n ** 3n, 1n],
  Ti: [1024n ** 4n, 1n],
  Pi: [1024n ** 5n, 1n],
};

/** The amount as a fraction, by another way than the code's. */
function amount(text: string): [bigint, bigint] {
  const [, sign, whole = '', part = '', suffix = ''] = /^(-?)(\d+)(?:\.(\d+))?(.*)$/.exec(text) ?? [];
  const exponent = suffix.startsWith('e') ? Number(suffix.slice(1)) : undefined;
  const [up, down] =
    exponent === undefined
      ? (FACTORS[suffix] ?? expect.unreachable(suffix))
      : exponent >= 0
        ? [10n ** BigInt(exponent), 1n]
        : [1n, 10n ** BigInt(-exponent)];
  return [(sign === '-' ? -1n : 1n) * BigInt(whole + part) * up, 10n ** BigInt(part.length) * down];
}

test('the canonical form is the same amount, but for what is finer than a billionth', () => {
  fc.assert(
    fc.property(quantity, (text) => {
      const [a, b] = amount(text);
      const [c, d] = amount(normalisedQuantity(text));
      const difference = a * d - c * b;
      expect((difference < 0n ? -difference : difference) * 10n ** 9n < b * d).toBe(true);
    }),
  );
});

test('the canonical form is its own canonical form, and is written without a fraction', () => {
  fc.assert(
    fc.property(quantity, (text) => {
      const canonical = normalisedQuantity(text);
      expect(normalisedQuantity(canonical)).toBe(canonical);
      expect(canonical).not.toContain('.');
    }),
  );
});
