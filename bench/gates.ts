import type { Medians } from './report.ts';
import { objectsOf } from './subjects.ts';

/**
 * Writes that a resource may cost on top of its objects: its status as it is accepted, as its pods start and as they
 * serve, and as many events.
 */
const STATUS_AND_EVENTS = 6;

/** How many times a bare client's time the operator may take, from a number of resources on. */
const RATIOS: readonly (readonly [from: number, ratio: number])[] = [
  [500, 1.35],
  [0, 1.15],
];

/**
 * What of a measurement is not as it must be, whatever the machine: counts, and ratios within one run. Times and memory
 * depend on the machine and are reported only.
 */
export function broken({ count, ratio, writesEach, writesAtRest }: Medians): readonly string[] {
  const budget = objectsOf(0, 'bench').length + STATUS_AND_EVENTS;
  const [, longest = Infinity] = RATIOS.find(([from]) => count >= from) ?? [];
  const gates: readonly (readonly [what: string, got: number, most: number])[] = [
    [`times the bare client's time`, ratio, longest],
    ['writes a resource', writesEach, budget],
    ['writes at rest', writesAtRest, 0],
  ];
  return gates
    .filter(([, got, most]) => got > most)
    .map(([what, got, most]) => `at ${count} resources: ${got.toFixed(2)} ${what}, at most ${most} allowed`);
}
