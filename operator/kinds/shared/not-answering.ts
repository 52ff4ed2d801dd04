import type { ObservedPod } from '../../engine/api/index.ts';
import type { Diagnosis } from './diagnosis-text.ts';
import { wasReadySince } from './ends.ts';

/**
 * A container that was ready since its last start, and no longer is: a server that hangs, or that its load keeps from
 * answering. It gets no requests, and its node starts it again only after more minutes of silence, since that loads the model
 * again. In that time nothing starts, and nothing has ended.
 */
export function diagnoseNotAnswering(pod: ObservedPod): Diagnosis | undefined {
  const { name, deleting, unreadySince, containers } = pod;
  const container = containers.find(({ ready, running }) => !ready && wasReadySince(pod, running?.startedAt));
  if (container === undefined || deleting || unreadySince === undefined) return undefined;
  const since = new Date(unreadySince).toISOString();
  const message = `Container ${container.name} runs, and has failed its readiness probe since ${since}. Where its liveness probe fails as well, its node starts it again. Read its log: kubectl logs ${name} -c ${container.name}.`;
  return { reason: 'NotAnswering', message, stuck: false };
}
