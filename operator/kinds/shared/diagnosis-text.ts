import { plainText } from '../../../constructs/parts/values/index.ts';
import { LONGEST_QUOTE, begun } from './cut.ts';

/** Something that keeps a workload from being as asked for. */
export interface Diagnosis {
  /** The reason of the condition that tells it. */
  readonly reason: string;
  /** What is the matter, and what to do. Free of what changes by itself (counts of restarts, elapsed times). */
  readonly message: string;
  /** Whether waiting alone will not help, as far as one can tell. */
  readonly stuck: boolean;
}

/** Somebody else's words as part of a sentence of ours: plain, one line, no full stop at its end, begun where too long. */
export const quote = (words: string): string =>
  begun(plainText(words).trim().replaceAll(/\s+/g, ' ').replace(/\.$/, ''), LONGEST_QUOTE + 1);

/** `words` behind a colon, or nothing where there are none. */
export const because = (words: string): string => (words.trim() === '' ? '' : `: ${quote(words)}`);
