import { rollingUpdate, type ScaleTarget } from '../parts/scaling/index.ts';
import { labelsOf, namedLabels, selectorLabels, workloadSelector } from '../parts/objects/index.ts';
import type { Labels, PodTemplate } from '../parts/objects/index.ts';
import type { Manifest } from '../workload.ts';
import type { GroupMember } from './engine.ts';
import { isGrouped, nodesOf } from './launch.ts';
import { KIND_LABEL } from './render-input.ts';
import type { RenderInput } from './render-input.ts';
import type { ModelServingSpec } from './spec.ts';

const LEADER_WORKER_SET = { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet' } as const;

/** Whether there are groups: those of the present spec, or earlier ones that still serve. */
export const hasGroups = ({ pods, state: { standing } }: RenderInput): boolean =>
  isGrouped(pods) || (standing !== undefined && isGrouped(standing));

/**
 * The name of the LeaderWorkerSet. It is not the resource's own: the controller of LeaderWorkerSets makes a headless Service of the
 * same name, by which its pods find each other, and the resource's own name is that of the Service that clients ask.
 */
export const groupName = (name: string): string => `${name}-server`;

/** What an autoscaler scales. */
export const groupTarget = (name: string): ScaleTarget => ({ ...LEADER_WORKER_SET, name: groupName(name) });

const workerIdentity = (name: string) => ({ kind: KIND_LABEL, name, component: 'worker' });

/** What selects the pods that compute for a leader. */
export const workerSelector = (name: string): Labels => selectorLabels(workerIdentity(name));

/** The labels of the pods that compute for a leader. */
export const workerLabels = ({ name, naming }: RenderInput): Labels =>
  namedLabels(labelsOf(workerIdentity(name)), naming);

/** What selects the pods of all groups, in the words of a LabelSelector. */
export const memberSelector = (name: string) => ({
  matchLabels: workloadSelector({ kind: KIND_LABEL, name }),
  matchExpressions: [{ key: 'app.kubernetes.io/component', operator: 'In', values: ['server', 'worker'] }],
});

/** Annotation of the pods of a group: how many they are. */
export const NODES_ANNOTATION = 'trunnion.dev/nodes';

/** What tells the pods of one group from those of another (LeaderWorkerSet 0.9.0, GroupUniqueHashLabelKey). */
const GROUP_KEY = 'leaderworkerset.sigs.k8s.io/group-key';

/** Keeps the pods of a group in one domain, for instance a rack: those that have the same key of a group. */
export function groupAffinity(name: string, { topology }: ModelServingSpec) {
  const topologyKey = topology?.required ?? topology?.preferred;
  if (topologyKey === undefined) return undefined;
  const term = { labelSelector: memberSelector(name), matchLabelKeys: [GROUP_KEY], topologyKey };
  return {
    podAffinity:
      topology?.required === undefined
        ? { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term }] }
        : { requiredDuringSchedulingIgnoredDuringExecution: [term] },
  };
}

/**
 * Replicas of several pods. Where one of its pods fails, a group starts again as a whole: the others have lost what they
 * computed with it.
 *
 * @param templateOf - the template of the pods of a role
 */
export function leaderWorkerSet(
  input: RenderInput,
  metadata: Manifest['metadata'],
  replicas: number | undefined,
  templateOf: (role: GroupMember['role']) => PodTemplate,
): Manifest {
  const { name, pods, spec } = input;
  return {
    ...LEADER_WORKER_SET,
    metadata: { ...metadata, name: groupName(name) },
    spec: {
      ...(replicas !== undefined && { replicas }),
      // A leader waits for its workers, and would never be ready before them.
      startupPolicy: 'LeaderCreated',
      rolloutStrategy: {
        type: 'RollingUpdate',
        rollingUpdateConfiguration: rollingUpdate(spec.rollout ?? {}, false).rollingUpdate,
      },
      networkConfig: { subdomainPolicy: 'Shared' },
      leaderWorkerTemplate: {
        size: nodesOf(pods),
        restartPolicy: 'RecreateGroupOnPodRestart',
        leaderTemplate: templateOf('leader'),
        workerTemplate: templateOf('worker'),
      },
    },
  };
}
