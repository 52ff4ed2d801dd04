import { resourceType } from '../../../operator/kube/client/resource-types.ts';

export const LEADER_WORKER_SET = resourceType('leaderworkerset.x-k8s.io', 'v1', 'LeaderWorkerSet');
export const DISAGGREGATED_SET = resourceType('disaggregatedset.x-k8s.io', 'v1', 'DisaggregatedSet');
export const STATEFUL_SET = resourceType('apps', 'v1', 'StatefulSet');
