import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** 32 bits that look random, and are those of a text. */
export function bitsOf(text: string): number {
  return new DataView(sha256(utf8ToBytes(text)).buffer).getUint32(0);
}

/** A number from 0 (included) to 1 (excluded) that looks random, and is that of a text. */
export const uniform = (text: string): number => bitsOf(text) / 2 ** 32;
