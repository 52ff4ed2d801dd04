import { TRUNNION } from '../../operator/trunnion.ts';
import { eventsIn } from '../../operator/engine/queries/index.ts';
import { controllerOf, observePod } from '../../operator/engine/observe/index.ts';
import { nodeQueries, type Outlook, outlookOf } from '../../operator/kinds/shared/nodes.ts';
import type { KubeObject } from '../../operator/kube/index.ts';
import type { Observation } from './observe.ts';

/**
 * Whether an autoscaler may still add a node for the pods that find none, by the UID of each pod. It is found out as the
 * operator does for its conditions, so that a pod and its resource say the same: what an autoscaler says of the first of
 * the pods of one owner, it says of all of them.
 */
export function outlooksOf({
  objects,
  events,
  unseen,
  now,
}: Pick<Observation, 'objects' | 'events' | 'unseen' | 'now'>): ReadonlyMap<string, Outlook> {
  const pods = objects.filter(({ kind, metadata }) => kind === 'Pod' && metadata.deletionTimestamp === undefined);
  const groups = Map.groupBy(pods, (pod) => controllerOf(pod)?.uid ?? pod.metadata.uid);
  return new Map(
    [...groups.values()].flatMap((group) => {
      const observed = group.map((pod) => observePod(pod, TRUNNION));
      const answers = unseen.some(({ resource }) => resource === 'events')
        ? {}
        : answersOf(nodeQueries(observed), events, now);
      const outlook = outlookOf({ answers }, observed);
      return outlook === undefined ? [] : observed.map(({ uid }) => [uid, outlook] as const);
    }),
  );
}

/** What the operator would be answered, from the events at hand. */
const answersOf = (queries: ReturnType<typeof nodeQueries>, events: readonly KubeObject[], now: number) =>
  Object.fromEntries(
    queries.flatMap((query) =>
      query.type === 'events'
        ? [[query.id, { at: now, type: query.type, events: eventsIn(events.filter(isAbout(query.uid))) }]]
        : [],
    ),
  );

const isAbout =
  (about: string) =>
  (event: KubeObject): boolean =>
    (event as { readonly involvedObject?: { readonly uid?: string } }).involvedObject?.uid === about;
