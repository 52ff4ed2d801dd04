import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameError, frames } from '../../../operator/kube/cache/frames.ts';

async function read(chunks: readonly Uint8Array[], largest?: number): Promise<unknown[]> {
  async function* stream() {
    yield* chunks;
  }
  return Array.fromAsync(frames(stream(), largest));
}

test('frames are read the same, however the bytes are cut', async () => {
  const value = fc.jsonValue({ stringUnit: 'binary' });
  await fc.assert(
    fc.asyncProperty(fc.array(value), fc.array(fc.nat(40)), async (values, cuts) => {
      const bytes = Buffer.from(values.map((each) => `${JSON.stringify(each)}\n`).join(''));
      const chunks: Uint8Array[] = [];
      let rest: Uint8Array = bytes;
      for (const cut of cuts) {
        chunks.push(rest.subarray(0, cut));
        rest = rest.subarray(cut);
      }
      expect(JSON.stringify(await read([...chunks, rest]))).toBe(JSON.stringify(values));
    }),
  );
});

test('every cut inside of a character of several bytes is whole again', async () => {
  const bytes = Buffer.from('{"text":"ä€😀"}\n');
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(await read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual([{ text: 'ä€😀' }]);
  }
});

test('blank lines and carriage returns mean nothing', async () => {
  expect(await read([Buffer.from('\r\n{"a":1}\r\n\n  \n{"a":2}\n')])).toEqual([{ a: 1 }, { a: 2 }]);
});

test('an object of 1.5 MiB is a frame like any other', async () => {
  const text = 'x'.repeat(1.5 * 2 ** 20);
  expect(await read([Buffer.from(`{"text":"${text}"}\n`)])).toEqual([{ text }]);
});

test.each([
  ['is not JSON', ['{"a":1}\nnonsense\n'], 'is not JSON'],
  ['is not UTF-8', [Buffer.from([0x22, 0xff, 0x22, 0x0a])], 'is not JSON'],
  ['is cut off by the end', ['{"a":1}\n{"a":'], 'ended within a frame'],
  ['is too long, whole', [`"${'x'.repeat(200)}"\n`], 'longer than 100 bytes'],
  ['is too long, and never ends', ['x'.repeat(60), 'x'.repeat(60)], 'longer than 100 bytes'],
])('a frame that %s is an error', async (_what, chunks, message) => {
  const reading = read(
    chunks.map((chunk) => Buffer.from(chunk)),
    100,
  );
  await expect(reading).rejects.toThrow(FrameError);
  await expect(reading).rejects.toThrow(message);
});
