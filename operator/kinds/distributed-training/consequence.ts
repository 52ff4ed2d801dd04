import { instant, type ContainerEnd } from '../../engine/api/index.ts';
import type { Rank } from './ranks.ts';

/**
 * By these words a program says that it failed since another rank had gone: they name no cause of its own. They were found
 * in libtorch_cpu.so of PyTorch 2.13 (Gloo, TCPStore), its NCCLUtils.cpp, and in jaxlib 0.10.
 */
const OF_ANOTHER =
  /connection (?:closed|reset) by peer|remote worker crashing|did the remote server shutdown or crash|remote process exit|another task died|distributed service detected fatal errors/i;

/** Whether a program failed since another rank had gone. */
export const isConsequence = ({ message }: Pick<ContainerEnd, 'message'>): boolean => OF_ANOTHER.test(message);

/** How a rank failed. */
export interface Failure {
  readonly rank: Rank;
  readonly end: ContainerEnd;
}

/** The failure that made others fail: the first that is no consequence of another one, where there is one. */
export const causeAmong = <F extends Failure>(failures: readonly F[]): F | undefined =>
  failures.toSorted(
    (a, b) =>
      Number(isConsequence(a.end)) - Number(isConsequence(b.end)) ||
      (instant(a.end.finishedAt) ?? 0) - (instant(b.end.finishedAt) ?? 0),
  )[0];

/**
 * How long, in milliseconds, a failure that is a consequence waits for its cause. All of them fail within a second or so,
 * and a kubelet, which looks at its containers once a second, reports them in any order.
 */
const CAUSE_LAG_MS = 5_000;

/** Until when the cause of failures may still show, in milliseconds since the epoch; undefined where it is known. */
export function causeKnownBy(failures: readonly Failure[], ranks: readonly Rank[]): number | undefined {
  const cause = causeAmong(failures);
  if (cause === undefined || !isConsequence(cause.end) || ranks.every(hasEnded)) return undefined;
  const at = instant(cause.end.finishedAt);
  return at === undefined ? undefined : at + CAUSE_LAG_MS;
}

const hasEnded = ({ pod: { phase } }: Rank): boolean => phase === 'Succeeded' || phase === 'Failed';
