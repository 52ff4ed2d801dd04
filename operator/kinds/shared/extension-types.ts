import type { ChildType } from '../../engine/api/index.ts';
import { TYPES } from '../../kube/index.ts';

/** KEDA's ScaledObject, as a type of child: which autoscaler it has made, and how that goes. */
const SCALED_OBJECT: ChildType = {
  ...TYPES.scaledObject,
  optional: true,
  keep: ['status.hpaName', 'status.conditions'],
};

/** The Gateway API's HTTPRoute, as a type of child: which of its gateways have taken it. */
const HTTP_ROUTE: ChildType = { ...TYPES.httpRoute, optional: true, keep: ['status.parents'] };

/** A LeaderWorkerSet, as a type of child: how many groups it has, and of which template. */
export const LEADER_WORKER_SETS: ChildType = {
  ...TYPES.leaderWorkerSet,
  optional: true,
  keep: [
    'spec.replicas',
    'status.observedGeneration',
    'status.replicas',
    'status.updatedReplicas',
    'status.readyReplicas',
    'status.conditions',
  ],
};

/** What closes, opens and scales pods that serve. */
export const AROUND_SERVERS: readonly ChildType[] = [
  TYPES.networkPolicy,
  TYPES.ingress,
  TYPES.podDisruptionBudget,
  TYPES.horizontalPodAutoscaler,
  SCALED_OBJECT,
  { ...TYPES.triggerAuthentication, optional: true },
  HTTP_ROUTE,
  { ...TYPES.ciliumNetworkPolicy, optional: true },
];
