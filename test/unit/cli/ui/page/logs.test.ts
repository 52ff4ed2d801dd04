import { expect, test } from 'vitest';
import type { LogLine, LogPiece } from '../../../../../cli/ui/api.ts';
import {
  colourOf,
  containersOf,
  type LogBuffer,
  MOST_LINES,
  NO_LINES,
  withLines,
} from '../../../../../cli/ui/page/model/logs.ts';

const lines = (from: number, count: number): readonly LogLine[] =>
  Array.from({ length: count }, (_, index) => ({ source: 'a', at: '', text: String(from + index) }));

const textsOf = ({ chunks }: LogBuffer): readonly string[] =>
  chunks.flatMap((chunk) => chunk.lines.map(({ text }) => text));

/** Lines in pieces of some size. */
function filled(total: number, piece: number): LogBuffer {
  let buffer = NO_LINES;
  for (let from = 0; from < total; from += piece)
    buffer = withLines(buffer, lines(from, Math.min(piece, total - from)));
  return buffer;
}

test.each([1, 7, 99, 100, 101, 1_234])('lines in pieces of %d stay in order, in chunks with an id each', (piece) => {
  const buffer = filled(1_234, piece);
  expect(textsOf(buffer)).toEqual(lines(0, 1_234).map(({ text }) => text));
  expect(buffer.chunks.map(({ id }) => id)).toEqual(Array.from({ length: 13 }, (_, index) => index));
  expect(buffer).toMatchObject({ dropped: 0, count: 1_234 });
});

test.each([1, 250, 20_000])('of 20,000 lines in pieces of %d the last 5,000 are kept', (piece) => {
  const buffer = filled(20_000, piece);
  expect(textsOf(buffer).length).toBe(MOST_LINES);
  expect(textsOf(buffer).at(-1)).toBe('19999');
  expect(buffer).toMatchObject({ dropped: 15_000, count: 20_000 });
});

test('only the last chunk changes with a line more: the others need not be drawn again', () => {
  const before = filled(250, 50);
  const after = withLines(before, lines(250, 1));
  expect(after.chunks.map(({ lines: own }, index) => own === before.chunks[index]?.lines)).toEqual([true, true, false]);
});

test('a line without an end is cut, and what the server says of itself is a line as well', () => {
  const pieces: readonly LogPiece[] = [
    { source: 'a', at: '2026-11-28T10:00:00Z', text: 'x'.repeat(5_000) },
    { note: 'b has no log' },
    { error: 'it broke off' },
  ];
  expect(withLines(NO_LINES, pieces).chunks[0]?.lines).toEqual([
    { source: 'a', at: '2026-11-28T10:00:00Z', text: `${'x'.repeat(4_000)}…` },
    { source: '', at: '', text: 'b has no log' },
    { source: '', at: '', text: 'it broke off' },
  ]);
});

test('each source keeps its colour, and neighbours differ', () => {
  const colours = new Map<string, number>();
  expect(['a', 'b', 'a', 'c', 'd', 'e', 'f', 'b'].map((source) => colourOf(source, colours))).toEqual([
    0, 1, 0, 2, 3, 4, 0, 1,
  ]);
});

test('the containers to choose from are those of the pod, or of all', () => {
  const pods = [
    { name: 'a', containers: ['server', 'fetch'] },
    { name: 'b', containers: ['server'] },
  ];
  expect(containersOf(pods, '')).toEqual(['server', 'fetch']);
  expect(containersOf(pods, 'b')).toEqual(['server']);
  expect(containersOf(pods, 'gone')).toEqual([]);
});
