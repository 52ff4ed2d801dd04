import type { Medians } from './report.ts';
import { objectsOf } from './subjects.ts';

/**
 * Writes that a resource may cost on top of its objects: its status as it is accepted, as its pods start and as they
 * serve, and as many events.
 */
const STATUS_AND_EVENTS = 6;

/** How many times the floor's time the operator may take: twice of what is usual, since machines are not steady. */
const TIMES_FLOOR = 2;

/** How many times a bare client's time is aimed at, from a number of resources on. */
const RATIOS: readonly (readonly [from: number, ratio: number])[] = [
  [500, 1.35],
  [0, 1.15],
];

/** Milliseconds of the processor that are aimed at. */
const CPU_MILLISECONDS = 15;

type Limit = readonly [what: string, got: number, most: number];

const over = (count: number, limits: readonly Limit[]): readonly string[] =>
  limits
    .filter(([, got, most]) => got > most)
    .map(([what, got, most]) => `at ${count} resources: ${got.toFixed(2)} ${what}, at most ${most}`);

/** What of a measurement is not as it must be on any machine: counts, and the time beside who writes all the same. */
export const broken = ({ count, timesFloor, writesEach, writesAtRest }: Medians): readonly string[] =>
  over(count, [
    [`times the floor's time`, timesFloor, TIMES_FLOOR],
    ['writes a resource', writesEach, objectsOf(0, 'bench').length + STATUS_AND_EVENTS],
    ['writes at rest', writesAtRest, 0],
  ]);

/** What of a measurement is not as it is aimed at. How much of it the machine takes is told by what the floor takes. */
export const missed = ({ count, ratio, cpuMillisecondsEach }: Medians): readonly string[] => {
  const [, longest = Infinity] = RATIOS.find(([from]) => count >= from) ?? [];
  return over(count, [
    [`times the bare client's time`, ratio, longest],
    ['ms of CPU a resource', cpuMillisecondsEach, CPU_MILLISECONDS],
  ]);
};
