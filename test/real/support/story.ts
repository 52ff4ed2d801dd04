import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ModelServingStatus } from '../../../constructs/index.ts';
import type { ServingUnderTest } from '../../cluster/support/serving.ts';

/** Between two looks, in milliseconds. */
const PAUSE = 100;

/** What a status said at some time. */
export interface Moment {
  /** Seconds since the first look. */
  readonly at: number;
  readonly phase: string | undefined;
  readonly ready: number | undefined;
  readonly available: string | undefined;
  /** The reason of Progressing. */
  readonly reason: string | undefined;
  /** Of Available: it has that of Progressing where nothing answers. */
  readonly message: string;
}

/**
 * All that a status says while something happens, one moment for each change, and prints it.
 *
 * @param happen - ends once the story is over
 * @param begin - what comes before the first look: the resource is made
 * @throws where a moment contradicts itself
 */
export async function storyOf(
  title: string,
  model: ServingUnderTest,
  happen: () => Promise<unknown>,
  begin: () => Promise<void> = async () => undefined,
): Promise<readonly Moment[]> {
  const moments: Moment[] = [];
  const stop = new AbortController();
  await begin();
  const ended = look(model, moments, stop.signal);
  try {
    await happen();
  } finally {
    stop.abort();
    await ended;
    console.log(JSON.stringify({ story: title, moments }));
  }
  for (const moment of moments) expectTrue(moment);
  return moments;
}

/** Looks again and again, and a last time at the end; a moment is what has changed since the one before. */
async function look(model: ServingUnderTest, moments: Moment[], signal: AbortSignal): Promise<void> {
  const start = performance.now();
  let last = '';
  for (let isLast = false; !isLast; await sleep(PAUSE)) {
    isLast = signal.aborted;
    const said = momentOf((await model.get()).status);
    const text = JSON.stringify(said);
    if (text !== last) moments.push({ at: Math.round((performance.now() - start) / 100) / 10, ...said });
    last = text;
  }
}

function momentOf(status: ModelServingStatus | undefined): Omit<Moment, 'at'> {
  const condition = (type: string) => status?.conditions?.find((one) => one.type === type);
  return {
    phase: status?.phase,
    ready: status?.readyReplicas,
    available: condition('Available')?.status,
    reason: condition('Progressing')?.reason,
    message: condition('Available')?.message ?? '',
  };
}

/** Numbers, conditions and phase say the same of whether anything answers. */
function expectTrue({ at, phase, ready = 0, available }: Moment): void {
  if (phase === undefined) return;
  expect({ at, available }).toEqual({ at, available: ready > 0 ? 'True' : 'False' });
  if (ready === 0) expect(phase).not.toBe('Running');
  else expect(phase).not.toBe('Failed');
}
