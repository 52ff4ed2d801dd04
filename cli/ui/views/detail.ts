import { TRUNNION } from '../../../operator/trunnion.ts';
import type { DistributedTrainingSpec } from '../../../constructs/distributed-training/spec.ts';
import { observePod } from '../../../operator/engine/observe/index.ts';
import { allKinds } from '../../kinds.ts';
import { liveResource, type LiveResource } from '../../live.ts';
import { inOrder } from '../../logs/pods.ts';
import { observe } from '../../status/observe.ts';
import { statusOf } from '../../status/tree.ts';
import type { Detail } from '../api.ts';
import type { Reference } from '../query.ts';
import { attemptsOf } from './attempts.ts';
import { chatOf } from './chat-readiness.ts';
import type { Downloads } from './download.ts';
import { eventsOf } from './events.ts';
import { type Cluster, lineOf } from './overview.ts';

/**
 * The resource that the page names.
 *
 * @throws NoResourceError where there is none
 */
export const resourceOf = (
  { client }: Pick<Cluster, 'client'>,
  { kind, namespace, name }: Reference,
): Promise<LiveResource> => liveResource(client, `${kind}/${name}`, namespace, allKinds);

/** All that is told of a resource. */
export async function detailOf(cluster: Cluster, reference: Reference, downloads: Downloads): Promise<Detail> {
  const { client, operatorNamespace } = cluster;
  const live = await resourceOf(cluster, reference);
  const { kind, resource } = live;
  const observation = await observe(client, { kind, resource, operatorNamespace });
  const { uid, name } = resource.metadata;
  const ownPods = observation.objects.filter(
    ({ kind: type, metadata: { labels = {} } }) =>
      type === 'Pod' && labels[TRUNNION.labels.kind] === kind.label && labels[TRUNNION.labels.name] === name,
  );
  const pods = inOrder(ownPods.map((pod) => observePod(pod, TRUNNION)));
  const download = downloads.of(uid, resource.status, observation.now);
  const chat = chatOf(live);
  const { state, message } = lineOf(resource);
  return {
    status: statusOf(observation),
    state,
    message,
    ...(download !== undefined && { download }),
    attempts: attemptsOf(resource, pods),
    events: eventsOf(resource, observation.objects, observation.events),
    pods: pods.map((pod) => ({ name: pod.name, containers: pod.containers.map((container) => container.name) })),
    isSearch: isSearch(live),
    ...(chat !== undefined && { chat }),
  };
}

/** Whether a resource searches for parameters, so that it can be drawn. */
export const isSearch = ({ kind, resource }: LiveResource): boolean =>
  kind.type.kind === 'DistributedTraining' && (resource.spec as DistributedTrainingSpec).tuning !== undefined;
