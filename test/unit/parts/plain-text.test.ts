import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeUnseen, isPlain, plainText, plainValues } from '../../../constructs/parts/values/plain-text.ts';
import { arbitraryHostile, HOSTILE, unseenIn } from '../../support/hostile-text.ts';

const options = fc.record({ lines: fc.boolean(), max: fc.integer({ min: 0, max: 40 }) }, { requiredKeys: [] });

describe('plain text', () => {
  test.each(Object.entries(HOSTILE))('has nothing of %s', (_, text) => {
    expect(unseenIn(plainText(text))).toEqual([]);
    expect(plainText(text)).toContain('words');
    expect(plainText(text)).not.toMatch(/[\n\t]/);
    expect(unseenIn(plainText(text, { lines: true }))).toEqual([]);
  });

  test('shows a control by its picture, and what has none by a replacement', () => {
    expect(plainText('\u001B]52;c;aGk=\u0007')).toBe('␛]52;c;aGk=␇');
    expect(plainText('\u007F\u009B\u202E\u{E0041}\uD800')).toBe('␡����');
  });

  test('leaves colours out', () => {
    expect(plainText('\u001B[1;36m(EngineCore pid=7)\u001B[0;0m ready')).toBe('(EngineCore pid=7) ready');
  });

  test('keeps newlines and tabs where it may have several lines, and a carriage return is none', () => {
    expect(plainText('a\tb\r\nc\rd\ne')).toBe('a b c d e');
    expect(plainText('a\tb\r\nc\rd\ne', { lines: true })).toBe('a\tb\nc␍d\ne');
  });

  test.each([
    ['Hebrew and Arabic', 'שלום مرحبا'],
    ['Persian with non-joiners', 'می\u200Cخواهم'],
    ['Hindi and Sinhala with joiners', 'क्\u200Dष ශ්\u200Dරී'],
    ['emoji of several', '👩\u200D💻 🏳\uFE0F\u200D🌈 👩🏽\u200D🚀 ❤\uFE0F 1\uFE0F\u20E3'],
    ['Chinese, Japanese and Korean', '模型 モデル 모델 葛\u{E0100}'],
    ['accents, also apart', 'é e\u0301 ñ'],
    ['an Arabic sign of a number', '\u0600١٢'],
    ['boxes and ticks', '│ └─ ✓ ✗ ±'],
  ])('leaves %s as it is', (_, text) => {
    expect(plainText(text)).toBe(text);
  });

  test('cuts the end of what is too long, and no character in two', () => {
    expect(plainText('abcdef', { max: 4 })).toBe('abc…');
    expect(plainText('ab😀cd', { max: 4 })).toBe('ab…');
    expect(plainText('abcd', { max: 4 })).toBe('abcd');
    expect(plainText('abcd', { max: 1 })).toBe('…');
    expect(plainText('abcd', { max: 0 })).toBe('');
  });

  test('of any text is plain, is no longer than that, and is itself plain as it is', () => {
    fc.assert(
      fc.property(arbitraryHostile(), options, (text, how) => {
        const plain = plainText(text, how);
        expect(unseenIn(plain)).toEqual([]);
        expect(plain.isWellFormed()).toBe(true);
        expect(plain.length).toBeLessThanOrEqual(Math.min(text.length, how.max ?? Infinity));
        expect(plainText(plain, how)).toBe(plain);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of text that has been joined from plain parts needs nothing replaced but what joins', () => {
    fc.assert(
      fc.property(arbitraryHostile(), arbitraryHostile(), (a, b) => {
        expect(plainText(`${plainText(a)} ${plainText(b)}`)).toBe(`${plainText(a)} ${plainText(b)}`);
      }),
    );
  });

  test.each([
    '\u001B',
    '\u001B[',
    '\u001B[1',
    '\u001B[1;',
    '\u200D',
    'क\u200D',
    '👩\u200D',
    '🏽',
    '\r',
    '\u202E',
    '\uD800',
  ])('takes time in proportion to the text: a MiB of %j is no matter', (unit) => {
    const text = unit.repeat(2 ** 20 / unit.length);
    const startedAt = performance.now();
    plainText(text);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    const cutAt = performance.now();
    plainText(text, { max: 1_024 });
    expect(performance.now() - cutAt).toBeLessThan(100);
  });
});

describe('data', () => {
  test('is plain in all its texts and names, and the same else', () => {
    const data = { 'a\u001B': ['x\u0007', 1, null, { b: true, c: '\u202E' }] };
    expect(plainValues({ ...data, n: 7 })).toEqual({ 'a␛': ['x␇', 1, null, { b: true, c: '�' }], n: 7 });
  });

  test('keeps a number that JavaScript cannot hold', () => {
    expect(JSON.stringify(plainValues({ n: JSON.rawJSON('12345678901234567890') }))).toBe('{"n":12345678901234567890}');
  });

  test('has a depth', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 50_000; i++) deep = [deep];
    expect(JSON.stringify(plainValues(deep)).length).toBeLessThan(200);
  });

  test('keeps a field named __proto__ a field', () => {
    const data: unknown = JSON.parse('{"__proto__": {"polluted": "\\u001b"}}');
    expect(JSON.stringify(plainValues(data))).toBe('{"__proto__":{"polluted":"␛"}}');
  });
});

describe('JSON', () => {
  test('with escapes means the same, and is plain', () => {
    fc.assert(
      fc.property(arbitraryHostile(), (text) => {
        const json = escapeUnseen(JSON.stringify({ [text]: [text] }, undefined, 2));
        expect(unseenIn(json)).toEqual([]);
        expect(isPlain(json)).toBe(true);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ [text]: [text] })));
      }),
    );
  });
});
