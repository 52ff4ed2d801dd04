import { PERMANENT_EXIT_CODES } from '../../../constructs/parts/weights/layout.ts';
import { instant, timestamp } from '../../engine/conditions.ts';
import type { ContainerEnd, ObservedPod } from '../../engine/observed.ts';
import { lastFailure } from '../shared/ends.ts';
import { because } from '../shared/finding.ts';
import type { jobState } from '../shared/slices.ts';
import { credentialAsks, credentialsChanged, missingCredentials } from './references.ts';
import { FETCH_CONTAINER, containerOf } from './view.ts';
import type { View } from './view.ts';
import { stuck, toldBefore } from './weights-state.ts';
import type { WeightsState } from './weights-state.ts';

/** After how long a failed download is tried again. */
const RETRY_MS = 10 * 60_000;

/** What the Job that fetches failed for, and when it is made anew. */
export function failedFor(
  view: View,
  carriers: readonly ObservedPod[],
  failed: NonNullable<ReturnType<typeof jobState>['failed']>,
  now: number,
): WeightsState {
  const end = carriers.map(failureOf).find((each) => each !== undefined);
  const due = (instant(failed.lastTransitionTime) ?? now) + RETRY_MS;
  const what = end
    ? told(view, end)
    : `The download of ${view.spec.model.uri} failed (${failed.reason})${because(failed.message)}.`;
  const secret = view.spec.model.credentials?.secretName;
  const sooner = secret === undefined ? '' : `, or within a minute once Secret ${secret} changes`;
  return {
    ...failedWith(view, `${what} It is tried again at ${timestamp(due)}${sooner}.`),
    ...(now < due ? { wakeAt: due, retry: credentialsChanged(view) } : { retry: true }),
  };
}

/** A download that failed for want of its credentials is told as that. */
export function failedWith(view: View, message: string): WeightsState {
  const missing = missingCredentials(view);
  if (missing) return stuck({ ...missing, message: `${missing.message} ${message}` });
  return stuck(
    toldBefore(view, credentialAsks(view)) ?? {
      reason: 'DownloadFailed',
      message: `${message} What arrived is kept.`,
      stuck: true,
    },
  );
}

/** How the fetch in a pod last failed; undefined where it did not, or has ended well since. */
export const failureOf = (pod: ObservedPod): ContainerEnd | undefined => {
  const container = containerOf(pod, FETCH_CONTAINER);
  return container && lastFailure(container);
};

/** Whether no repetition helps. */
export const isPermanent = ({ exitCode }: ContainerEnd): boolean => PERMANENT_EXIT_CODES.includes(exitCode);

/** A failure as a sentence. */
export const told = ({ spec }: Pick<View, 'spec'>, { exitCode, message }: ContainerEnd): string =>
  `The download of ${spec.model.uri} failed with exit code ${exitCode}${because(message)}.`;
