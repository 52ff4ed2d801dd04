/** Does `task` for 0 … count − 1, so many at once. */
export async function pooled(count: number, atOnce: number, task: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next; index < count; index = next) {
      next += 1;
      await task(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}

/** Does tasks one after the other, and says what came of each. Who is first changes from turn to turn. */
export async function inTurn<Results extends object>(
  turn: number,
  tasks: { readonly [name in keyof Results]: () => Promise<Results[name]> },
): Promise<Results> {
  const names = Object.keys(tasks) as (keyof Results)[];
  const first = turn % names.length;
  const results: Partial<Results> = {};
  for (const name of [...names.slice(first), ...names.slice(0, first)]) results[name] = await tasks[name]();
  return results as Results;
}

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = NaN] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]];
  return (low + high) / 2;
}
