import { describe, expect, it } from 'vitest';
import {
  LARGEST_LOG_BYTES,
  type LogReading,
  reportInLog,
  tailOfLog,
} from '../../../operator/engine/queries/pod-log.ts';

/** In pieces that end anywhere. */
async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 65_521) yield Promise.resolve(bytes.subarray(at, at + 65_521));
}

async function* endless(piece: Uint8Array, sent = { bytes: 0 }): AsyncGenerator<Uint8Array> {
  for (;;) {
    sent.bytes += piece.length;
    yield Promise.resolve(piece);
  }
}

const reading = (log: AsyncIterable<Uint8Array>, signal = new AbortController().signal): LogReading => ({
  client: { openLog: () => Promise.resolve(log) },
  pod: { namespace: 'ns', name: 'p' },
  container: 'c',
  signal,
  count: () => undefined,
});

describe('what a log reports', () => {
  const rising = Array.from({ length: 4_000 }, (_, line) => `${'x'.repeat(300)} acc=${0.1 + line / 4_800}\n`).join('');

  it('is read to its end: of 4,000 lines of 320 bytes, the last counts', async () => {
    const last = 0.1 + 3_999 / 4_800;
    const report = await reportInLog(reading(piecesOf(rising)), 'acc');
    expect(report).toMatchObject({ last: { value: last }, highest: { value: last }, lowest: { value: 0.1 } });
    expect(report).not.toHaveProperty('incomplete');
  });

  it('is incomplete where there is too much of it, which is not read', async () => {
    const sent = { bytes: 0 };
    const report = await reportInLog(reading(endless(Buffer.alloc(2 ** 20, 'x\n'), sent)), 'acc');
    expect(report).toEqual({ incomplete: 'the log is longer than 256 MiB' });
    expect(sent.bytes).toBeLessThan(LARGEST_LOG_BYTES + 2 ** 22);
  });

  it('is not read any further once nobody wants to know', async () => {
    const end = new AbortController();
    const reported = reportInLog(reading(endless(Buffer.from('x\n')), end.signal), 'acc');
    setTimeout(() => end.abort(new Error('forgotten')), 20);
    await expect(reported).rejects.toThrow('forgotten');
  });

  it('does not hold up others, however long it is', async () => {
    const reported = reportInLog(reading(endless(Buffer.from('acc=0.5 {"acc":'.repeat(4_000)))), 'acc');
    let longest = 0;
    let before = performance.now();
    const meter = setInterval(() => {
      longest = Math.max(longest, performance.now() - before);
      before = performance.now();
    }, 1);
    await reported;
    clearInterval(meter);
    expect(longest).toBeLessThan(500);
  });
});

describe('the last lines of a log', () => {
  it('are each whole; those that are very long are left out', async () => {
    const lines = `${'x'.repeat(5_000)}\none\ntwo\n${'x'.repeat(5_000)}`;
    expect(await tailOfLog(reading(piecesOf(lines)), 5)).toBe('one\ntwo');
    expect(await tailOfLog(reading(piecesOf('one\ntwo\nthree')), 2)).toBe('two\nthree');
  });

  it('are not told where they have no end', async () => {
    const tail = tailOfLog(reading(endless(Buffer.alloc(2 ** 16, 'x'))), 5);
    await expect(tail).rejects.toThrow('the last 5 lines of the log are longer than 1048576 bytes');
  });
});
