import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, bodyOf, type Question } from './ask.ts';
import { type Report, Tally } from './report.ts';

/** A load, of which only the URL and the model have to be said. */
export interface LoadOptions extends Partial<Omit<Question, 'url' | 'model'>> {
  readonly url: string;
  readonly model: string;
  /**
   * How many ask at the same time.
   *
   * @default 2
   */
  readonly workers?: number;
  /**
   * Whether a worker keeps its connection; else it opens one for each request, so that a Service chooses a pod each time.
   *
   * @default false
   */
  readonly keepAlive?: boolean;
}

/** A load that runs. */
export interface Load {
  /** What has ended so far. */
  report(): Report;
  /** Lets the requests in flight end, and asks no more. */
  stop(): Promise<Report>;
}

/** After a failure, so that a server that refuses is asked ten times a second by each worker, and not a thousand times. */
const PAUSE_MILLISECONDS = 100;

/** Asks until it is stopped. */
export function startLoad(options: LoadOptions): Load {
  const question: Question = {
    prompt: 'Say something.',
    tokens: 40,
    stream: false,
    timeout: 60_000,
    ...options,
  };
  const body = bodyOf(question);
  const tally = new Tally();
  const start = performance.now();
  const report = (): Report => tally.report((performance.now() - start) / 1_000);
  const stopped = new AbortController();

  const work = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: options.keepAlive ?? false, maxSockets: 1 });
    while (!stopped.signal.aborted) {
      const outcome = await ask(question, body, agent);
      tally.add(outcome);
      if (outcome.failure !== undefined) {
        await sleep(PAUSE_MILLISECONDS, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
    agent.destroy();
  };
  const workers = Promise.all(Array.from({ length: options.workers ?? 2 }, work));
  return {
    report,
    stop: async () => {
      stopped.abort();
      await workers;
      return report();
    },
  };
}
