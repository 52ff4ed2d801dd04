import { describe, expect, test } from 'vitest';
import { strayed, valueAt, merge } from '../../../stacks/pulumi/merge.ts';

const marks = (keys: readonly string[], at: readonly (string | number)[]) => `${keys.join('+')} at ${at.join('.')}`;

describe('weaving', () => {
  const base = { name: 'a', list: [{ x: 1 }, { x: 2 }], same: { deep: true } };

  test('replaces the smallest parts that vary, and leaves all others', () => {
    const variants = new Map([
      ['first', { ...base, name: 'b' }],
      ['second', { ...base, name: 'c', list: [{ x: 1 }, { x: 3 }] }],
    ]);
    expect(merge(base, variants, marks)).toEqual({
      name: 'first+second at name',
      list: [{ x: 1 }, { x: 'second at list.1.x' }],
      same: { deep: true },
    });
  });

  test('replaces a whole list or object that has other places', () => {
    const variants = new Map([['first', { ...base, list: [], same: { deep: true, more: 1 } }]]);
    expect(merge(base, variants, marks)).toEqual({ ...base, list: 'first at list', same: 'first at same' });
  });

  test('finds what strays though nothing varies there', () => {
    const variants = new Map([['first', { ...base, name: 'b' }]]);
    expect(strayed(base, variants, { ...base, name: 'anything' })).toBeUndefined();
    expect(strayed(base, variants, { ...base, list: [{ x: 1 }, { x: 9 }] })).toEqual(['list', 1, 'x']);
    expect(strayed(base, variants, { ...base, list: [{ x: 1 }] })).toEqual(['list']);
    expect(valueAt(base, ['list', 1, 'x'])).toBe(2);
  });
});
