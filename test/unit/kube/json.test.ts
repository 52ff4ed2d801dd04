import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, writeJson } from '../../../operator/kube/client/json.ts';

test('an integer of any size is written back digit for digit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
      const text = `{"items":[${integer}],"field":${integer}}`;
      expect(JSON.stringify(parseJson(text))).toBe(text);
    }),
  );
});

test('what JSON.stringify has written is read and written the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (value, large) => {
      // A long number in a text sends the rest down the careful path as well.
      const text = JSON.stringify(large ? [value, 'x:1234567890123456'] : value);
      expect(JSON.stringify(parseJson(text))).toBe(text);
    }),
  );
});

test('a large integer is an object, so that nothing takes it for a number', () => {
  const { value } = parseJson('{"value":9007199254740993}') as { value: unknown };
  expect(typeof value).toBe('object');
  expect(JSON.isRawJSON(value)).toBe(true);
});

test('what is written is the same to a reader of YAML, which takes some characters for the end of a line, or for none', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      const written = writeJson(texts);
      // What YAML 1.1 calls printable, less its ends of lines beyond ASCII.
      expect(written).toMatch(
        /^[\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u,
      );
      expect(JSON.parse(written)).toEqual(texts);
    }),
  );
});
