import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalQuantity, compareQuantities, parseQuantity } from '../../../constructs/parts/values/quantity.ts';

const parsed = (text: string) => parseQuantity(text) ?? expect.unreachable(`${text} must be an amount`);

describe('a quantity', () => {
  // What the API server makes of each, by Quantity.String() of k8s.io/apimachinery.
  test.each([
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1.', '1'],
    ['2000m', '2'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['1.0001Ki', '1024103m'],
    ['1e3', '1e3'],
    ['1E', '1E'],
    ['12e5', '1200e3'],
    ['0', '0'],
    ['0Gi', '0'],
    ['+1', '1'],
    ['-1500m', '-1500m'],
    ['0.0000000001', '1m'],
    ['-1u', '-1m'],
    ['1000000Ki', '1000000Ki'],
  ])('%s is written %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  test('may be a number', () => {
    expect(canonicalQuantity(8)).toBe('8');
  });

  test.each(['', 'ten', '1 Gi', '1gi', '1KB', '1e', '.', '--1', '1Gi2', '1e1.5'])('%j is none', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
    expect(() => canonicalQuantity(text)).toThrow('is no amount');
  });

  const amounts = fc
    .tuple(fc.integer({ min: -9999, max: 9999 }), fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3'))
    .map(([number, suffix]) => `${number}${suffix}`);

  test('keeps its value when it is written canonically, and is canonical then', () => {
    fc.assert(
      fc.property(amounts, (text) => {
        const canonical = canonicalQuantity(text);
        expect(compareQuantities(parsed(canonical), parsed(text))).toBe(0);
        expect(canonicalQuantity(canonical)).toBe(canonical);
      }),
    );
  });

  test('is compared by its value, whatever its suffix', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 20 }), fc.integer({ min: 0, max: 2 ** 20 }), (a, b) => {
        expect(compareQuantities(parsed(`${a}Ki`), parsed(String(b * 1024)))).toBe(Math.sign(a - b));
      }),
    );
  });
});
