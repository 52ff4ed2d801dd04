import { expect, test } from 'vitest';
import { largest, smallest } from '../../../constructs/parts/values/extremes.ts';

test('the largest and the smallest of a million values', () => {
  const values = Array.from({ length: 1_000_000 }, (_, i) => i);
  expect([largest(values), smallest(values)]).toEqual([999_999, 0]);
});

test('of no values, and beside none larger or smaller, it is what was given', () => {
  expect([largest([]), smallest([]), largest([-1], 0), smallest([1], 0)]).toEqual([-Infinity, Infinity, 0, 0]);
});

test('what is not a number makes the whole none', () => {
  expect([largest([1, Number.NaN]), smallest([1, Number.NaN])]).toEqual([Number.NaN, Number.NaN]);
});
