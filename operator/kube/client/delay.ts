/**
 * The delay after so many failures in a row, at least one: each doubles it, up to a limit. In the unit of both.
 *
 * @param failures - in a row, the last one included
 * @param first - after the first failure
 * @param longest - that it ever comes to
 */
export const delayAfter = (failures: number, first: number, longest: number): number =>
  Math.min(first * 2 ** (failures - 1), longest);
