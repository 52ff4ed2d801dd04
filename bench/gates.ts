import type { Medians } from './report.ts';
import { objectsOf } from './subjects.ts';

/**
 * Writes that a resource may cost on top of its objects: its status as it is accepted, as its pods start and as they
 * serve, and as many events.
 */
const STATUS_AND_EVENTS = 6;

/** How many times the floor's time the operator may take: twice of what is usual, since machines are not steady. */
const TIMES_FLOOR = 2;

/** What a careful operator in Go took where the aims were set: milliseconds of the processor. */
const CAREFUL_CPU_MILLISECONDS = 7;

/**
 * How many times a bare client's time is aimed at, from a number of resources on; and what the careful operator took where
 * that was set.
 */
const RATIOS: readonly (readonly [from: number, ratio: number, careful: number])[] = [
  [500, 1.35, 1.37],
  [0, 1.15, 1.13],
];

/** Milliseconds of the processor that are aimed at. */
const CPU_MILLISECONDS = 15;

/** How many times the careful operator's time an operator of others may take: one that is built by the runtime. */
const RUNTIME_TIMES_CAREFUL = 1.15;

/** What is aimed at for an operator that is built by the runtime, and not reached. */
export const missedByRuntime = ({ count, ratio, beside }: Medians): readonly string[] =>
  beside === undefined
    ? []
    : over(count, [[`times the careful operator's time`, ratio / beside.ratio, RUNTIME_TIMES_CAREFUL]]);

type Limit = readonly [what: string, got: number, most: number];

const over = (count: number, limits: readonly Limit[]): readonly string[] =>
  limits
    .filter(([, got, most]) => got > most)
    .map(([what, got, most]) => `at ${count} resources: ${got.toFixed(2)} ${what}, at most ${most}`);

/** What of a measurement is not as it must be on any machine: counts, and the time beside a bare client that does the same writes. */
export const broken = ({ count, timesFloor, writesEach, writesAtRest }: Medians): readonly string[] =>
  over(count, [
    [`times the floor's time`, timesFloor, TIMES_FLOOR],
    ['writes a resource', writesEach, objectsOf(0, 'bench').length + STATUS_AND_EVENTS],
    ['writes at rest', writesAtRest, 0],
  ]);

/**
 * What of a measurement is not as it is aimed at. How much of it the machine takes is told by what the floor takes, and,
 * where it was measured as well, by the careful operator: the aims are held as multiples of that, too.
 */
export const missed = ({ count, ratio, cpuMillisecondsEach, beside }: Medians): readonly string[] => {
  const [, longest = Infinity, careful = 1] = RATIOS.find(([from]) => count >= from) ?? [];
  const own: readonly Limit[] = [
    [`times the bare client's time`, ratio, longest],
    ['ms of CPU a resource', cpuMillisecondsEach, CPU_MILLISECONDS],
  ];
  if (beside === undefined) return over(count, own);
  const cpu = cpuMillisecondsEach / beside.cpuMillisecondsEach;
  return over(count, [
    ...own,
    [`times the careful operator's time`, ratio / beside.ratio, hundredths(longest / careful)],
    [`times the careful operator's CPU`, cpu, hundredths(CPU_MILLISECONDS / CAREFUL_CPU_MILLISECONDS)],
  ]);
};

const hundredths = (value: number): number => Math.round(value * 100) / 100;
