import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Logger } from '../engine/telemetry/index.ts';
import { parseJson, yieldToEventLoop } from '../kube/index.ts';
import { convertReviewInTurns } from './review.ts';
import { slowSpecs } from './slow-specs.ts';

/** Most failures a minute that are logged. The API server asks again and again, and so may anybody else. */
const MOST_LOGGED = 20;

/**
 * Answers requests as texts, and logs what is not converted.
 *
 * @param now - milliseconds since the epoch
 */
export function answerer(
  kinds: readonly KindSchema[],
  log: Pick<Logger, 'warn'>,
  now: () => number,
): (body: string) => Promise<string> {
  const call = slowSpecs(now);
  const mayLog = perMinute(MOST_LOGGED, now);
  return async (body) => {
    const answer = await convertReviewInTurns(reviewIn(body), kinds, { call, pause: yieldToEventLoop });
    const { status, message } = answer.response.result;
    if (status === 'Failure' && mayLog()) log.warn(`a resource was not converted: ${message ?? ''}`);
    return JSON.stringify(answer);
  };
}

/** Says yes so many times a minute. */
function perMinute(most: number, now: () => number): () => boolean {
  let [began, count] = [0, 0];
  return () => {
    if (now() - began >= 60_000) [began, count] = [now(), 0];
    count += 1;
    return count <= most;
  };
}

/** What is not JSON is no review either, and is answered like one that is none. */
function reviewIn(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
