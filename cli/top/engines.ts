import type { Duplex } from 'node:stream';
import { ENGINE_TABLE } from '../../constructs/model-serving/engine.table.ts';
import type { MetricNames } from '../../constructs/model-serving/engine.ts';
import { type ObjectRef, pause } from '../../operator/kube/index.ts';
import { describe } from '../errors.ts';
import { keyOf } from './key.ts';
import { inSlots, scrape } from './scrape.ts';
import type { EngineReading, TopPod } from './types.ts';

/** Makes a connection to a port of a pod; `signal` gives it up. */
export type Dial = (pod: ObjectRef, port: number, signal: AbortSignal) => Promise<Duplex>;

/** So many pods are asked at a time. */
const AT_A_TIME = 16;

/** Between the two readings of a counter, from which its rate follows. */
const BETWEEN_MS = 1_000;

const FIGURES = ['running', 'waiting', 'generatedTokens', 'tokensPerSecond'] as const satisfies (keyof MetricNames)[];
type Figure = (typeof FIGURES)[number];

/** Which figure a metric is, of all engines: none has the name of another's. */
const FIGURE_OF: ReadonlyMap<string, Figure> = new Map(
  Object.values(ENGINE_TABLE).flatMap(({ metrics }) =>
    FIGURES.flatMap((figure) => {
      const name = metrics?.names[figure];
      return name === undefined ? [] : [[name, figure] as const];
    }),
  ),
);

/** What the engines told, and of those that told nothing why. */
export interface EngineAnswers {
  /** By `namespace/name` of the pod. */
  readonly readings: ReadonlyMap<string, EngineReading>;
  readonly failures: readonly { readonly pod: string; readonly words: string }[];
}

/** Asks the engines of pods for their requests and tokens: a few at a time, and none for long. */
export async function askEngines(
  pods: readonly TopPod[],
  dial: Dial,
  signal: AbortSignal,
  betweenMs: number = BETWEEN_MS,
): Promise<EngineAnswers> {
  const slot = inSlots(AT_A_TIME);
  const readings = new Map<string, EngineReading>();
  const failures: { readonly pod: string; readonly words: string }[] = [];
  await Promise.all(
    pods.map(async (pod) => {
      const { metrics } = pod;
      if (metrics === undefined) return;
      const look = () => slot(() => lookAt((inTime) => dial(pod, metrics.port, inTime), metrics.path, signal));
      try {
        const first = await look();
        if (first.figures.generatedTokens === undefined) return void readings.set(keyOf(pod), readingOf(first));
        await pause(betweenMs, signal);
        readings.set(keyOf(pod), readingOf(first, await look()));
      } catch (error) {
        failures.push({ pod: keyOf(pod), words: describe(error) });
      }
    }),
  );
  return { readings, failures };
}

/** What a pod told once. */
export interface Look {
  readonly figures: Readonly<Partial<Record<Figure, number>>>;
  /** In milliseconds, of a clock that never goes back. */
  readonly at: number;
}

async function lookAt(
  dial: (signal: AbortSignal) => Promise<Duplex>,
  path: string,
  signal: AbortSignal,
): Promise<Look> {
  const figures: Partial<Record<Figure, number>> = {};
  await scrape(dial, {
    path,
    metrics: [...FIGURE_OF.keys()],
    signal,
    take: ({ metric, value }) => {
      const figure = FIGURE_OF.get(metric);
      if (figure !== undefined) figures[figure] = (figures[figure] ?? 0) + value;
    },
  });
  return { figures, at: performance.now() };
}

/**
 * What follows from one look, or from two. A counter that went back is of an engine that was started again. SGLang lets
 * its gauge of tokens stand for up to 30 s after its last request (0.5.18, the scheduler's metrics at rest).
 */
export function readingOf(first: Look, second?: Look): EngineReading {
  const { running, waiting, tokensPerSecond, generatedTokens } = (second ?? first).figures;
  const before = first.figures.generatedTokens;
  const seconds = ((second ?? first).at - first.at) / 1_000;
  const grown = generatedTokens === undefined || before === undefined ? -1 : generatedTokens - before;
  const measured = running === 0 && tokensPerSecond !== undefined ? 0 : tokensPerSecond;
  const rate = seconds > 0 && grown >= 0 ? grown / seconds : measured;
  return {
    ...(running !== undefined && { running }),
    ...(waiting !== undefined && { waiting }),
    ...(rate !== undefined && { tokensPerSecond: rate }),
  };
}
