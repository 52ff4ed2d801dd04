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

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = NaN] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]];
  return (low + high) / 2;
}
