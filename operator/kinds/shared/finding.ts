import { plainText } from '../../../constructs/parts/plain-text.ts';

/** Something that keeps a workload from being as asked for. */
export interface Finding {
  /** The reason of the condition that tells it. */
  readonly reason: string;
  /** What is the matter, and what to do. Free of what changes by itself (counts of restarts, elapsed times). */
  readonly message: string;
  /** Whether waiting alone will not help, as far as one can tell. */
  readonly stuck: boolean;
}

/** Words of others may be long; a condition is to be read. In characters, and one more where something is cut. */
const LONGEST_QUOTE = 600;

/** Somebody else's words as part of a sentence of ours: plain, one line, no full stop at its end, cut where too long. */
export function quote(words: string): string {
  const line = plainText(words).trim().replaceAll(/\s+/g, ' ').replace(/\.$/, '');
  return plainText(line, { max: LONGEST_QUOTE + 1 });
}

/** `words` behind a colon, or nothing where there are none. */
export const because = (words: string): string => (words.trim() === '' ? '' : `: ${quote(words)}`);
