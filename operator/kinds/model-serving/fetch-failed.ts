import { PERMANENT_EXIT_CODES } from '../../../constructs/parts/weights/index.ts';
import { instant, timestamp } from '../../engine/api/index.ts';
import type { ContainerEnd, ObservedPod } from '../../engine/api/index.ts';
import { lastFailure } from '../shared/ends.ts';
import { because } from '../shared/diagnosis-text.ts';
import type { jobState } from '../shared/slices.ts';
import { credentialQueries, credentialsChanged, missingCredentials } from './references.ts';
import { FETCH_CONTAINER, containerOf } from './observed.ts';
import type { Observed } from './observed.ts';
import { stuck, toldBefore } from './weights-state.ts';
import type { WeightsState } from './weights-state.ts';

/** After how long a failed download is tried again. */
const RETRY_MS = 10 * 60_000;

/** What the Job that fetches failed for, and when it is created again. */
export function failedFor(
  observed: Observed,
  carriers: readonly ObservedPod[],
  failed: NonNullable<ReturnType<typeof jobState>['failed']>,
  now: number,
): WeightsState {
  const end = carriers.map(failureOf).find((each) => each !== undefined);
  const due = (instant(failed.lastTransitionTime) ?? now) + RETRY_MS;
  const what = end
    ? told(observed, end)
    : `The download of ${observed.spec.model.uri} failed (${failed.reason})${because(failed.message)}.`;
  const secret = observed.spec.model.credentials?.secretName;
  const sooner = secret === undefined ? '' : `, or within a minute once Secret ${secret} changes`;
  return {
    ...failedWith(observed, `${what} It is tried again at ${timestamp(due)}${sooner}.`),
    ...(now < due ? { requeueAt: due, retry: credentialsChanged(observed) } : { retry: true }),
  };
}

/** A download that failed for lack of its credentials is told as that. */
export function failedWith(observed: Observed, message: string): WeightsState {
  const missing = missingCredentials(observed);
  if (missing) return stuck({ ...missing, message: `${missing.message} ${message}` });
  return stuck(
    toldBefore(observed, credentialQueries(observed)) ?? {
      reason: 'DownloadFailed',
      message: `${message} What arrived is kept.`,
      stuck: true,
    },
  );
}

/** How the fetch in a pod last failed; undefined where it did not, or has succeeded since. */
export const failureOf = (pod: ObservedPod): ContainerEnd | undefined => {
  const container = containerOf(pod, FETCH_CONTAINER);
  return container && lastFailure(container);
};

/** Whether no repetition helps. */
export const isPermanent = ({ exitCode }: ContainerEnd): boolean => PERMANENT_EXIT_CODES.includes(exitCode);

/** A failure as a sentence. */
export const told = ({ spec }: Pick<Observed, 'spec'>, { exitCode, message }: ContainerEnd): string =>
  `The download of ${spec.model.uri} failed with exit code ${exitCode}${because(message)}.`;
