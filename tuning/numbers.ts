import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** A row of numbers of one length with others that it is reckoned with. */
export type Vector = readonly number[];

export const dot = (a: Vector, b: Vector): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
};

/** `a + factor * b`. */
export const plus = (a: Vector, b: Vector, factor: number = 1): number[] =>
  a.map((value, i) => value + factor * (b[i] ?? 0));

export const times = (matrix: readonly Vector[], vector: Vector): number[] => matrix.map((row) => dot(row, vector));

/** 32 bits that look random, and are those of a text. */
export function bitsOf(text: string): number {
  return new DataView(sha256(utf8ToBytes(text)).buffer).getUint32(0);
}

/** A number from 0 (included) to 1 (excluded) that looks random, and is that of a text. */
export const uniform = (text: string): number => bitsOf(text) / 2 ** 32;
