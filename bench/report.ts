import { cpus, totalmem } from 'node:os';
import type { Round } from './bench.ts';
import { median } from './pool.ts';
import { objectsOf, RESOURCE, spec } from './subjects.ts';

const FIGURES = [
  'ratio',
  'floorRatio',
  'timesFloor',
  'writesEach',
  'cpuMillisecondsEach',
  'floorCpuMillisecondsEach',
  'peakMiB',
  'writesAtRest',
] as const;

/** What of them another operator has too. */
const BESIDE = ['ratio', 'writesEach', 'cpuMillisecondsEach', 'peakMiB'] as const;

/** The middle of all rounds of one size. */
export type Medians = { readonly [figure in (typeof FIGURES)[number] | 'count']: number } & {
  /** Of a careful operator in Go, where it was measured. */
  readonly beside?: { readonly [figure in (typeof BESIDE)[number]]: number };
};

/** What was measured, and how. */
export interface Measured {
  readonly rounds: readonly Round[];
  /** Whether the control plane had cores of its own: see cores.ts. */
  readonly isApart: boolean;
}

/** What `npm run bench` writes. */
export interface Report {
  readonly machine: {
    readonly cpus: number;
    readonly model: string;
    readonly memoryGiB: number;
    readonly platform: string;
    readonly node: string;
    /** Whether the control plane had cores of its own, and its clients the last: see cores.ts. */
    readonly controlPlaneApart: boolean;
  };
  readonly kind: string;
  readonly spec: typeof spec;
  /** Milliseconds of the processor that one rendering takes. */
  readonly synthMilliseconds: number;
  readonly medians: readonly Medians[];
  readonly rounds: readonly Round[];
}

export function report({ rounds, isApart }: Measured): Report {
  const [cpu] = cpus();
  return {
    machine: {
      cpus: cpus().length,
      model: cpu?.model ?? 'unknown',
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      platform: `${process.platform} ${process.arch}`,
      node: process.version,
      controlPlaneApart: isApart,
    },
    kind: RESOURCE.kind,
    spec,
    synthMilliseconds: synthMilliseconds(),
    medians: mediansOf(rounds),
    rounds,
  };
}

/** The middle of all rounds of each size. */
export const mediansOf = (rounds: readonly Round[]): readonly Medians[] =>
  [...Map.groupBy(rounds, ({ count }) => count)].map(([count, of]) => {
    const beside = of.flatMap((round) => round.beside ?? []);
    return { count, ...middles(FIGURES, of), ...(beside.length > 0 && { beside: middles(BESIDE, beside) }) };
  });

const middles = <Figure extends string>(figures: readonly Figure[], of: readonly Readonly<Record<Figure, number>>[]) =>
  Object.fromEntries(figures.map((figure) => [figure, median(of.map((one) => one[figure]))])) as Record<Figure, number>;

function synthMilliseconds(): number {
  const [warmUp, times] = [200, 2_000];
  for (let index = 0; index < warmUp; index += 1) objectsOf(index, 'bench');
  const started = process.cpuUsage();
  for (let index = 0; index < times; index += 1) objectsOf(index, 'bench');
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000 / times;
}

/** A line of the medians, for people. */
export function line({
  count,
  ratio,
  floorRatio,
  writesEach,
  cpuMillisecondsEach,
  floorCpuMillisecondsEach,
  peakMiB,
  writesAtRest,
  beside,
}: Medians): string {
  return [
    `${count} resources: ${ratio.toFixed(2)} times the bare client's time (the floor: ${floorRatio.toFixed(2)})`,
    `${writesEach.toFixed(1)} writes each`,
    `${cpuMillisecondsEach.toFixed(1)} ms of CPU each (the floor: ${floorCpuMillisecondsEach.toFixed(1)})`,
    `peak ${peakMiB.toFixed(0)} MiB`,
    `${writesAtRest} writes at rest`,
    ...(beside
      ? [
          `beside it a careful operator in Go: ${beside.ratio.toFixed(2)} times, ${beside.writesEach.toFixed(1)} writes, ${beside.cpuMillisecondsEach.toFixed(1)} ms, ${beside.peakMiB.toFixed(0)} MiB`,
        ]
      : []),
  ].join(', ');
}
