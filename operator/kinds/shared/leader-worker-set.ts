/** Labels that LeaderWorkerSet's controller gives to pods (LeaderWorkerSet 0.9.0, leaderworkerset_types.go). */
export const GROUP_LABELS = {
  /** The name of the LeaderWorkerSet. */
  set: 'leaderworkerset.sigs.k8s.io/name',
  /** The number of the group. */
  group: 'leaderworkerset.sigs.k8s.io/group-index',
  /** The number of the pod in its group; 0 is the leader. */
  rank: 'leaderworkerset.sigs.k8s.io/worker-index',
  /** A hash of the template. */
  revision: 'leaderworkerset.sigs.k8s.io/template-revision-hash',
} as const;
