import { expect, test } from 'vitest';
import { valuesOf } from '../../../../../cli/ui/page/io/ndjson.ts';
import { commandOf } from '../../../../../cli/ui/page/model/keys.ts';
import { delayOf, wordsOf } from '../../../../../cli/ui/page/model/polling.ts';

test('after each failure in a row it waits longer, up to half a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 1_000].map(delayOf)).toEqual([2_500, 5_000, 10_000, 20_000, 30_000, 30_000, 30_000]);
});

test('where nobody answers, it says what to do', () => {
  expect(wordsOf({ kind: 'gone' })).toContain('trunnion ui has ended: start it again');
  expect(wordsOf({ kind: 'stranger' })).toContain('open the address that trunnion ui has printed');
  expect(wordsOf({ kind: 'refused', status: 502, message: 'no cluster' })).toBe('no cluster');
});

const press = { isModified: false, isTyping: false, isOn: true };

test.each([
  ['j', {}, 'next'],
  ['ArrowUp', {}, 'previous'],
  ['?', {}, 'help'],
  ['3', {}, 3],
  ['x', {}, undefined],
  ['j', { isTyping: true }, undefined],
  ['Escape', { isTyping: true }, 'back'],
  ['r', { isModified: true }, undefined],
  ['j', { isOn: false }, undefined],
  ['ArrowDown', { isOn: false }, 'next'],
  ['Escape', { isOn: false }, 'back'],
])('the key %s with %j is %s', (key, more, command) => {
  expect(commandOf({ ...press, key, ...more })).toBe(command);
});

/** A stream of pieces of bytes. */
const streamOf = (...pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> => ReadableStream.from(pieces);

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What comes out of a stream. */
async function read(stream: ReadableStream<Uint8Array>): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for await (const value of valuesOf(stream)) values.push(value);
  return values;
}

test('each line of a stream is a value, wherever its pieces are cut', async () => {
  const all = bytes('{"text":"é"}\n\n{"text":"🦙"}\n{"text":"end"}');
  const values = [{ text: 'é' }, { text: '🦙' }, { text: 'end' }];
  expect(await read(streamOf(all))).toEqual(values);
  expect(await read(streamOf(...[...all].map((byte) => Uint8Array.of(byte))))).toEqual(values);
  expect(await read(streamOf())).toEqual([]);
});

test('a line that is no JSON, and one without an end, are errors', async () => {
  await expect(read(streamOf(bytes('<html>\n')))).rejects.toThrow('JSON');
  await expect(read(streamOf(...Array.from({ length: 5 }, () => bytes('x'.repeat(1_000_000)))))).rejects.toThrow(
    'no end',
  );
});

test('who stops reading ends the stream', async () => {
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes('1\n')),
    cancel: () => void (isCancelled = true),
  });
  for await (const value of valuesOf(stream)) if (value === 1) break;
  expect(isCancelled).toBe(true);
});
