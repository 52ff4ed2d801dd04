import type { LogPiece } from '../../api.ts';

/** A line as it is shown. */
export interface ShownLine {
  /** Empty in a line of the server itself. */
  readonly source: string;
  readonly at: string;
  readonly text: string;
}

/** Lines that follow each other. Only the last chunk grows, so the others need not be drawn again. */
interface Chunk {
  readonly id: number;
  readonly lines: readonly ShownLine[];
}

/** The last lines of a log. */
export interface LogBuffer {
  readonly chunks: readonly Chunk[];
  /** Lines that are no longer there. */
  readonly dropped: number;
  /** All that ever came. */
  readonly count: number;
}

/** A buffer without a line. */
export const NO_LINES: LogBuffer = { chunks: [], dropped: 0, count: 0 };

const CHUNK = 100;

/** So many lines are kept: more make the page slow, and `trunnion logs` has them all. */
export const MOST_LINES = 5_000;

/** Characters of a line that are shown. */
const LONGEST = 4_000;

/** The buffer with some lines behind it, and without the oldest ones where it is full. */
export function withLines({ chunks, dropped, count }: LogBuffer, lines: readonly LogPiece[]): LogBuffer {
  const last = chunks.at(-1);
  const isOpen = last !== undefined && last.lines.length < CHUNK;
  const kept = isOpen ? chunks.slice(0, -1) : chunks;
  const open = isOpen ? last.lines : [];
  const all = [...open, ...lines.map(shownLine)];
  const firstId = last === undefined ? 0 : isOpen ? last.id : last.id + 1;
  const added = Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, index) => ({
    id: firstId + index,
    lines: all.slice(index * CHUNK, (index + 1) * CHUNK),
  }));
  const grown = [...kept, ...added];
  const surplus = grown.slice(0, Math.max(0, grown.length - MOST_LINES / CHUNK));
  return {
    chunks: grown.slice(surplus.length),
    dropped: surplus.reduce((sum, chunk) => sum + chunk.lines.length, dropped),
    count: count + lines.length,
  };
}

function shownLine(piece: LogPiece): ShownLine {
  if ('note' in piece) return { source: '', at: '', text: piece.note };
  if ('error' in piece) return { source: '', at: '', text: piece.error };
  const { source, at, text } = piece;
  return { source, at, text: text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text };
}

/** Which of the colours a source has: neighbours differ, and it stays the same. */
export function colourOf(source: string, colours: Map<string, number>): number {
  const known = colours.get(source);
  if (known !== undefined) return known;
  const colour = colours.size % COLOURS;
  colours.set(source, colour);
  return colour;
}

const COLOURS = 5;

/** Which logs are followed. */
export interface LogChoice {
  readonly pod: string;
  readonly container: string;
}

/** The containers that one can choose: of the chosen pod, or of all. */
export function containersOf(
  pods: readonly { readonly name: string; readonly containers: readonly string[] }[],
  pod: string,
): readonly string[] {
  const those = pod === '' ? pods : pods.filter(({ name }) => name === pod);
  return [...new Set(those.flatMap(({ containers }) => containers))];
}
