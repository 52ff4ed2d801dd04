import type { Ask } from '../../engine/asks.ts';
import type { Snapshot } from '../../engine/kind.ts';
import type { ObservedChild } from '../../engine/observed.ts';
import { adviceOn } from './advice.ts';
import { because } from './finding.ts';
import type { Finding } from './finding.ts';

/** How often the events of a Job without a pod are looked at. */
const LOOK_SECONDS = 20;

/**
 * By this a controller says that the API server refused a pod (kubernetes, pkg/controller/controller_utils.go). A ReplicaSet says
 * it by a condition as well; a Job by events alone.
 */
const REFUSED = 'FailedCreate';

/** The API server refuses to make pods of ours; told in its words, by whichever controller heard them. */
export function podsRefused(words: string): Finding {
  if (/exceeded quota/.test(words)) {
    return {
      reason: 'QuotaExceeded',
      message: `The namespace's quota leaves no room for the pods${because(words)}. Raise the quota or ask for less.`,
      stuck: true,
    };
  }
  const advice = adviceOn({ reason: 'Forbidden', message: words });
  return {
    reason: 'PodsForbidden',
    message: `The API server refuses the pods${because(words)}. ${advice}`,
    stuck: true,
  };
}

/** Asks why Jobs that have no pod have none. */
export const podRefusalAsks = (jobs: readonly ObservedChild[]): readonly Ask[] =>
  jobs.map(({ name, uid }) => ({ id: askId(uid), type: 'events', kind: 'Job', name, uid, everySeconds: LOOK_SECONDS }));

/** Why a Job has no pod, where its controller has told that it was refused. */
export function podRefusal({ facts }: Pick<Snapshot, 'facts'>, job: ObservedChild): Finding | undefined {
  const fact = facts[askId(job.uid)];
  const said = fact?.type === 'events' ? fact.events.findLast(({ reason }) => reason === REFUSED) : undefined;
  return said && podsRefused(settled(said.message, job.name));
}

/** Each try has a name of its own, and a condition would be written for each. */
const settled = (words: string, job: string): string =>
  words
    .replace(/^Error creating: /, '')
    .split(`"${job}-`)
    .map((part, at) => (at === 0 ? part : part.replace(/^[a-z0-9]{0,5}"/, '"')))
    .join(`"${job}`);

const askId = (uid: string): string => `events/${uid}`;
