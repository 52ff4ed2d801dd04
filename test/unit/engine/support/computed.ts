/** Computations of tests: each does what a kind's should not. */

export const double = ({ value }: { readonly value: number }): number => 2 * value;

export function forever(): never {
  for (;;);
}

export function failing(): never {
  throw new Error('there is nothing to be reckoned with');
}

export function hoard(): number {
  const kept: string[][] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => `${kept.length}/${i}`));
}

/** Takes as long as it is told, in milliseconds. */
export function slow({ ms }: { readonly ms: number }): number {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return ms;
}

export const unclonable = (): unknown => () => undefined;

export const named: unknown = 'no function';
