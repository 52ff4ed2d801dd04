import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import { wholeStatus } from '../../status/whole-status.ts';
import type { Download } from '../api.ts';

/** When how much was there. */
interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** What is remembered of a download. */
interface Progress {
  readonly uri: string;
  /** How much there was when it was first looked at: since when is not known. */
  readonly first: number;
  /** Changes that were seen since, the first one first. */
  readonly samples: readonly Sample[];
}

/** Changes that count: the operator reports one in ten seconds. */
const MOST_SAMPLES = 12;

/** Without a change for so long, nobody knows when it will be there. */
const STALE_MS = 60_000;

/** So many downloads are remembered. */
const MOST_DOWNLOADS = 100;

/** Tells how far downloads are, and remembers how fast they were. */
export class Downloads {
  readonly #known = new Map<string, Progress>();

  /**
   * How far the weights of a resource are; undefined where it has none, or nothing is known of them.
   *
   * @param now - milliseconds since the epoch
   */
  of(uid: string, status: object | undefined, now: number): Download | undefined {
    const { weights } = wholeStatus<Pick<ModelServingStatus, 'weights'>>(status);
    if (weights?.bytes === undefined) return undefined;
    const { uri, bytes, totalBytes, claimUID } = weights;
    const done = claimUID !== undefined;
    const progress = done ? undefined : this.#note(uid, uri, { at: now, bytes });
    const secondsLeft =
      progress && totalBytes !== undefined ? secondsLeftOf(progress.samples, totalBytes, now) : undefined;
    return {
      uri,
      bytes,
      ...(totalBytes !== undefined && { totalBytes }),
      done,
      ...(secondsLeft !== undefined && { secondsLeft }),
    };
  }

  #note(uid: string, uri: string, sample: Sample): Progress {
    const next = noted(this.#known.get(uid), uri, sample);
    this.#known.delete(uid);
    this.#known.set(uid, next);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_DOWNLOADS && oldest !== undefined) this.#known.delete(oldest);
    return next;
  }
}

/** What is known of a download, with what there is now. */
export function noted(before: Progress | undefined, uri: string, sample: Sample): Progress {
  const last = before?.samples.at(-1)?.bytes ?? before?.first ?? Infinity;
  // Another download, or one that began again.
  if (before === undefined || before.uri !== uri || sample.bytes < last)
    return { uri, first: sample.bytes, samples: [] };
  if (sample.bytes === last) return before;
  return { ...before, samples: [...before.samples, sample].slice(-MOST_SAMPLES) };
}

/** How long it takes as fast as it was; it stays the same until more has come. */
export function secondsLeftOf(samples: readonly Sample[], totalBytes: number, now: number): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at <= first.at || now - last.at > STALE_MS) return undefined;
  const bytesPerMs = (last.bytes - first.bytes) / (last.at - first.at);
  return Math.max(0, Math.round((totalBytes - last.bytes) / bytesPerMs / 1_000));
}
