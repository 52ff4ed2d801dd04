/** How a delay grows with failures in a row. Both times are in one unit, that of the delay. */
export interface Backoff {
  /** After the first failure; each one that follows doubles it. */
  readonly first: number;
  /** That it ever comes to. */
  readonly longest: number;
  /**
   * The share of it that is random, so that those who failed together don't come back together.
   *
   * @default 0
   */
  readonly jitter?: number;
}

/**
 * The delay after so many failures in a row.
 *
 * @param failures - the last one included, so at least 1
 * @param random - 0 for the shortest delay that jitter allows, 1 for the longest
 */
export const delayAfter = (failures: number, { first, longest, jitter = 0 }: Backoff, random = 0): number =>
  Math.min(first * 2 ** (failures - 1), longest) * (1 - jitter + jitter * random);
