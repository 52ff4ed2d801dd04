import { shortHash } from '../../../constructs/parts/weights/index.ts';
import type { DistributedTrainingSpec } from '../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { instant } from '../../engine/api/index.ts';
import { delayAfter } from '../../kube/index.ts';
import { isWanted } from './end.ts';

type Attempt = NonNullable<DistributedTrainingStatus['attempts']>[number];

/** An attempt that lasted this long ended a row of short ones: the kubelet forgets a container's failures after it, too. */
const STABLE_MS = 10 * 60_000;

/** The share of a pause that differs from training to training, so that they don't all come back at once. */
const JITTER = 0.2;

/**
 * How long to wait before the next attempt, in milliseconds: doubled with each attempt in a row that was short and that
 * nobody wanted to end, up to the limit, less up to a fifth. The same training and attempt always wait equally long,
 * anyone who reckons.
 *
 * @param attempts - those that have ended, the last one included
 */
export function pauseOf(
  { backoffSeconds, maxBackoffSeconds }: DistributedTrainingSpec['retry'],
  attempts: readonly Attempt[],
  uid: string,
): number {
  const row = attempts
    .slice(attempts.findLastIndex((attempt) => isStable(attempt)) + 1)
    .filter((attempt) => !isWanted(attempt));
  const backoff = { first: backoffSeconds, longest: maxBackoffSeconds, jitter: JITTER };
  const random = 1 - fractionOf(`${uid}/${attempts.at(-1)?.number ?? 0}`);
  return Math.round(delayAfter(Math.max(1, row.length), backoff, random) * 1000);
}

const isStable = ({ startedAt, finishedAt }: Attempt): boolean =>
  (instant(finishedAt) ?? 0) - (instant(startedAt) ?? Infinity) >= STABLE_MS;

/** A number from 0 to 1 that looks random, and is that of its text. */
function fractionOf(text: string): number {
  const hash = shortHash(text);
  return Number.parseInt(hash, 16) / 16 ** hash.length;
}
