import type { Download } from '../../api.ts';
import { bytesWords } from './bytes.ts';
import { durationWords } from './time.ts';

/** How far the weights are, as it is shown. */
export interface ShownDownload {
  /** From 0 to 1; undefined where nobody knows the total. */
  readonly share: number | undefined;
  /** `12.3 GiB of 40.0 GiB` */
  readonly words: string;
  /** `31%, 2m left at 120 MiB/s`; empty where nothing is known. */
  readonly pace: string;
}

/** How far the weights are, as it is shown. */
export function shownDownload({ bytes, totalBytes, done, secondsLeft }: Download): ShownDownload {
  if (done) return { share: 1, words: `${bytesWords(bytes)}, complete`, pace: '' };
  if (totalBytes === undefined || totalBytes <= 0)
    return { share: undefined, words: `${bytesWords(bytes)} so far`, pace: '' };
  const share = Math.min(1, Math.max(0, bytes / totalBytes));
  const left = totalBytes - bytes;
  const rate = secondsLeft !== undefined && secondsLeft > 0 && left > 0 ? left / secondsLeft : undefined;
  return {
    share,
    words: `${bytesWords(bytes)} of ${bytesWords(totalBytes)}`,
    // All of it is there only when the last byte is.
    pace: [
      `${bytes >= totalBytes ? 100 : Math.min(99, Math.floor(share * 100))}%`,
      ...(rate === undefined ? [] : [`${durationWords(secondsLeft ?? 0)} left at ${bytesWords(rate)}/s`]),
    ].join(', '),
  };
}
