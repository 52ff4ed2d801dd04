import { SERVER } from '../../../constructs/model-serving/server-container.ts';
import { SETTLE_SECONDS } from '../../../constructs/parts/pod/index.ts';
import type { PodRemoval, ObservedPod } from '../../engine/api/index.ts';
import { wasReadySince } from '../shared/ends.ts';
import type { Context, Part } from './context.ts';
import { containerOf } from './observed.ts';

/** Servers that go before they have started get a few seconds. */
export const stopUnstarted = ({ now, observed }: Context): Part => ({
  removePods: unstartedRemovals(observed.snapshot.pods, now),
});

/**
 * Servers that are being deleted before they ever started: they have no requests to end, may heed no SIGTERM, and would
 * hold their GPUs for as long as a drain may take. So they get a few seconds in place of it.
 *
 * Whether one has started, its node tells until it learns of the deletion; from then on it calls all of them started
 * (Kubernetes 1.36: `isContainerStarted` in pkg/kubelet/prober/prober_manager.go). So one that serves is never taken for one
 * that does not, and what is found out too late is left to the hook of the pod.
 */
const unstartedRemovals = (pods: readonly ObservedPod[], now: number): readonly PodRemoval[] =>
  pods
    .filter((pod) => pod.deleting && (pod.goneBy ?? 0) > now + 2 * SETTLE_SECONDS * 1000 && isStarting(pod))
    .map(({ name, uid }) => ({ name, uid, graceSeconds: SETTLE_SECONDS }));

function isStarting(pod: ObservedPod): boolean {
  const server = containerOf(pod, SERVER);
  if (server?.running === undefined || server.startupSeconds === undefined) return false;
  // A node whose kubelet starts again calls all unstarted for a moment, and unready from that moment on.
  const isNew = pod.unreadySince !== undefined && !wasReadySince(pod, server.running.startedAt);
  return isNew && !server.started && !server.ready;
}
