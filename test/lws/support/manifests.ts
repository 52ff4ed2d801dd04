import type { ObjectBody } from '../../../operator/kube/client/options.ts';

/** Where an object is, and what it is called. */
export interface Where {
  readonly namespace: string;
  readonly name: string;
}

/** What a test changes of the groups. */
export interface Groups {
  /** @default 2 */
  readonly replicas?: number;
  /** Pods of a group; default 2. */
  readonly size?: number;
  /** @default example.com/engine:1 */
  readonly image?: string;
  /** Of each pod; default 8, a whole node. */
  readonly gpus?: number;
  readonly rolloutStrategy?: object;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** One group more while it rolls, and none less. */
export const SURGE = {
  type: 'RollingUpdate',
  rollingUpdateConfiguration: { maxSurge: 1, maxUnavailable: 0, partition: 0 },
};

/** With none, annotations that a later apply drops would leave `metadata: null`, which the API server refuses. */
const LABELS = { 'app.kubernetes.io/name': 'llama' };

const podSpec = ({ image = 'example.com/engine:1', gpus = 8 }: Groups) => ({
  containers: [
    {
      name: 'engine',
      image,
      env: [{ name: 'ADDRESS', value: 'tcp://$(LWS_LEADER_ADDRESS):1234' }],
      resources: { limits: { 'nvidia.com/gpu': String(gpus) } },
    },
  ],
  // Simulated nodes have this taint where they have GPUs.
  tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }],
  terminationGracePeriodSeconds: 1,
});

/** The spec of groups that are alike in all their pods. */
const groupsSpec = (groups: Groups) => {
  const { replicas = 2, size = 2, rolloutStrategy, annotations } = groups;
  return {
    replicas,
    ...(rolloutStrategy !== undefined && { rolloutStrategy }),
    leaderWorkerTemplate: {
      size,
      workerTemplate: { metadata: { labels: LABELS, annotations }, spec: podSpec(groups) },
    },
  };
};

export const leaderWorkerSet = (metadata: Where, groups: Groups = {}): ObjectBody => ({
  apiVersion: 'leaderworkerset.x-k8s.io/v1',
  kind: 'LeaderWorkerSet',
  metadata: { ...metadata },
  spec: groupsSpec(groups),
});

/** A role of two groups of one pod, and one of one group of two pods. */
export const disaggregatedSet = (metadata: Where, groups: Groups = {}): ObjectBody => ({
  apiVersion: 'disaggregatedset.x-k8s.io/v1',
  kind: 'DisaggregatedSet',
  metadata: { ...metadata },
  spec: {
    roles: [
      { name: 'prefill', spec: groupsSpec({ replicas: 2, size: 1, ...groups }) },
      { name: 'decode', spec: groupsSpec({ replicas: 1, size: 2, ...groups }) },
    ],
  },
});

export const pod = (metadata: Where & { readonly labels: Readonly<Record<string, string>> }): ObjectBody => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...metadata },
  spec: podSpec({}),
});
