import * as z from 'zod';
import { withRules, type Rule } from '../../schema/rules.ts';

/** The largest number of a user or a group: Kubernetes' own limit. */
const MAX_ID = 2_147_483_647;

const id = z.int().min(0).max(MAX_ID);

/** The fields of `spec.security`. */
export const securityFields = z.strictObject({
  level: z
    .enum(['restricted', 'baseline', 'rdma'])
    .describe(
      'How far the pods are locked in. restricted and baseline are Pod Security Standards: restricted runs as user and group 1000, baseline runs as the image says, root too. rdma is baseline with the capability IPC_LOCK, by which NCCL pins memory for InfiniBand and RoCE. It gives up the Pod Security Standards: such pods may lock all of the memory of a node, and only a namespace that enforces privileged takes them. Linux gives the capability to root alone.',
    )
    .default('restricted'),
  ids: z
    .enum(['fixed', 'cluster'])
    .describe(
      'Who chooses the numbers of the user and its groups. fixed: runAsUser, runAsGroup and fsGroup, or their defaults. cluster: none is rendered, for clusters that assign them, as OpenShift does. Default: fixed.',
    )
    .optional(),
  runAsUser: id.describe('Number of the user. Default: 1000 with level restricted, else that of the image.').optional(),
  runAsGroup: id
    .describe('Number of its group. Default: 1000 with level restricted, else that of the image.')
    .optional(),
  fsGroup: id.describe('Number of the group that volumes belong to. Default: 1000.').optional(),
  supplementalGroups: z
    .array(id)
    .max(32)
    .describe(
      'Numbers of further groups. For amd.com/gpu: the group of /dev/kfd on the nodes, which `stat -c %g /dev/kfd` prints there. Default: none.',
    )
    .meta({ 'x-kubernetes-list-type': 'atomic' })
    .optional(),
});

/** The fields that `ids: cluster` leaves to the cluster. */
const NUMBERS = ['runAsUser', 'runAsGroup', 'fsGroup', 'supplementalGroups'] as const;

/** Rules of `spec.security`. */
export const securityRules: readonly Rule[] = [
  ...NUMBERS.map((field): Rule => ({
    rule: `!has(self.ids) || self.ids != 'cluster' || !has(self.${field})`,
    fieldPath: `.${field}`,
    message: 'must be left out with ids cluster, which leaves it to the cluster: leave it out, or set ids to fixed',
  })),
  {
    rule: "has(self.level) && self.level != 'restricted' || !has(self.runAsUser) || self.runAsUser != 0",
    fieldPath: '.runAsUser',
    message: 'must not be 0 with level restricted, which forbids root: choose another user, or level baseline',
  },
];

/** `spec.security` of every kind. */
export const security = withRules(securityFields, ...securityRules);
