import type { Query, Snapshot, ObservedChild } from '../../engine/api/index.ts';
import { adviceOn } from './advice.ts';
import { because } from './diagnosis-text.ts';
import type { Diagnosis } from './diagnosis-text.ts';

/** What of the API server's words is about one pod among many: another try has another name. */
const ABOUT_ONE_POD = /^(?:Error creating: )?(?:pods|Pod) "[^"]*" is (?:forbidden|invalid): (?:pod rejected: )?/;

/** A quota that counts what a field of resources says, and not pods or GPUs alone (plugin/pkg/admission/resourcequota/controller.go). */
const OF_RESOURCES = /requested: \S{0,1000}(?:cpu|memory)=/;

/**
 * Pods that the API server refuses to make, in its own words.
 *
 * @param asked - the field that says what the pods ask for, where they have one of their own
 */
export function refusedPods(words: string, asked?: string): Diagnosis {
  const statement = words.replace(ABOUT_ONE_POD, '');
  if (/exceeded quota/.test(statement)) {
    return {
      reason: 'QuotaExceeded',
      message: `The namespace's quota leaves no room for the pods${because(statement)}. Raise the quota or ask for less${asked !== undefined && OF_RESOURCES.test(statement) ? ` in ${asked}` : ''}.`,
      stuck: true,
    };
  }
  return {
    reason: 'PodsForbidden',
    message: `The API server refuses the pods${because(statement)}. ${adviceOn({ reason: 'Forbidden', message: statement }, asked)}`,
    stuck: true,
  };
}

/** How soon after a Job was made it is asked why it has no pods, in milliseconds: most have them within a second. */
export const REFUSAL_MS = 5_000;

const REFUSAL_SECONDS = 15;

/**
 * By this a controller says that the API server refused a pod (kubernetes 1.36, pkg/controller/controller_utils.go). A
 * ReplicaSet says it by a condition as well; a Job by events alone.
 */
const REFUSED = 'FailedCreate';

type Job = Pick<ObservedChild, 'name' | 'uid'>;

const queryId = ({ uid }: Job): string => `events/${uid}`;

/** Asks why a Job that lacks pods does not get them. */
export const refusalQuery = (job: Job): Query => ({
  id: queryId(job),
  type: 'events',
  kind: 'Job',
  name: job.name,
  uid: job.uid,
  everySeconds: REFUSAL_SECONDS,
});

/**
 * Why a Job that lacks pods does not get them, where the API server has refused them.
 *
 * @param asked - the field that says what its pods ask for, where they have one of their own
 */
export function refusalOf({ answers }: Pick<Snapshot, 'answers'>, job: Job, asked?: string): Diagnosis | undefined {
  const answer = answers[queryId(job)];
  const statement = answer?.type === 'events' ? answer.events.findLast(({ reason }) => reason === REFUSED) : undefined;
  return statement && refusedPods(statement.message, asked);
}
