/**
 * The largest of any number of values. `Math.max(...values)` has a limit: each value is an argument on the stack.
 *
 * @param none - what it is where there is no larger value, and where there is none at all
 * @default -Infinity
 */
export function largest(values: Iterable<number>, none = -Infinity): number {
  let most = none;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/**
 * The smallest of any number of values.
 *
 * @param none - what it is where there is no smaller value, and where there is none at all
 * @default Infinity
 */
export function smallest(values: Iterable<number>, none = Infinity): number {
  let least = none;
  for (const value of values) least = Math.min(least, value);
  return least;
}
