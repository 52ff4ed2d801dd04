const view = new DataView(new ArrayBuffer(8));

/** The rank of a number among all that a double can hold: the next greater one has a rank of one more. */
function rankOf(value: number): bigint {
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigInt64(0);
  return value < 0 ? -bits : bits;
}

function numberOf(rank: bigint): number {
  view.setBigInt64(0, rank < 0n ? -rank : rank);
  const size = view.getFloat64(0);
  return rank < 0n ? -size : size;
}

/**
 * All numbers of a range that a double can hold, in their order: 1 and 1.0000000000000002 have none between them.
 *
 * @returns undefined where there are more than `most`
 */
export function doublesOf(min: number, max: number, most: number): readonly number[] | undefined {
  const [first, last] = [rankOf(min), rankOf(max)];
  if (last - first >= BigInt(most)) return undefined;
  return Array.from({ length: Math.max(0, Number(last - first) + 1) }, (_, i) => numberOf(first + BigInt(i)));
}
