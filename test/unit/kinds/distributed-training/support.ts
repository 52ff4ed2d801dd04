import { distributedTraining as definition } from '../../../../constructs/distributed-training/kind.ts';
import { templateHash } from '../../../../constructs/distributed-training/jobs.ts';
import { jobNameOf } from '../../../../constructs/distributed-training/names.ts';
import type { RoleName } from '../../../../constructs/distributed-training/roles.ts';
import type {
  DistributedTrainingSpec,
  DistributedTrainingSpecInput,
} from '../../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import { parseSpec } from '../../../../constructs/schema/parse.ts';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import type { Failure } from '../../../../operator/engine/api/kind.ts';
import type {
  ContainerEnd,
  ObservedChild,
  ObservedContainer,
  ObservedPod,
} from '../../../../operator/engine/api/observed.ts';
import { distributedTraining } from '../../../../operator/kinds/distributed-training/index.ts';
import type { DistributedTrainingResource } from '../../../../operator/kinds/distributed-training/index.ts';
import { decided } from '../../../support/decided.ts';

/** When tests begin: 2026-01-01T00:00:00Z. */
export const START = Date.parse('2026-01-01T00:00:00Z');
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

const NAME = 'resnet';

export const specOf = (over: Partial<DistributedTrainingSpecInput> = {}): DistributedTrainingSpec =>
  parseSpec(definition, {
    name: NAME,
    namespace: 'training',
    host: 'operator',
    spec: { framework: 'pytorch', image: 'torch:1', command: ['torchrun', 'train.py'], replicas: 4, ...over },
  });

export function resourceOf(
  spec: DistributedTrainingSpec,
  { status, generation = 1 }: { status?: DistributedTrainingStatus; generation?: number } = {},
): DistributedTrainingResource {
  return {
    apiVersion: 'trunnion.dev/v1alpha1',
    kind: 'DistributedTraining',
    metadata: {
      name: NAME,
      namespace: 'training',
      uid: 'uid-of-resnet',
      resourceVersion: '1',
      generation,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec,
    ...(status && { status }),
  };
}

interface Observed {
  readonly resource: DistributedTrainingResource;
  readonly children?: readonly ObservedChild[];
  readonly pods?: readonly ObservedPod[];
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly problems?: readonly Failure[];
}

/** What the API server answers once the Job of the first attempt is gone. */
export const firstIsGone: Readonly<Record<string, Answer>> = { [`job/${NAME}-1`]: { at: START, type: 'object' } };

/** Reconciles what was observed, at a time. */
export const decide = (
  { resource, children = [], pods = [], answers = {}, problems = [] }: Observed,
  now: number = START,
) => decided(distributedTraining, { resource, children, pods, related: {}, answers, failures: problems }, now);

/** The status with which attempt `number` runs. */
export const statusOf = (number: number, over: Partial<DistributedTrainingStatus> = {}): DistributedTrainingStatus => ({
  attempt: number,
  failures: 0,
  ...over,
});

/** The status between the first attempt, which failed, and the second. */
export const failedOnce = statusOf(2, {
  failures: 1,
  attempts: [{ number: 1, reason: 'ProgramFailed', charged: 1, finishedAt: '2026-01-01T00:00:00Z' }],
  nextAttemptAt: '2026-01-01T00:00:10Z',
});

type JobOver = Partial<ObservedChild> & {
  readonly suspended?: boolean;
  readonly condition?: { readonly type: string; readonly reason?: string; readonly message?: string };
};

/** A child of the training that is as it should be. */
export const childOf = (
  { apiVersion, kind, name }: Pick<ObservedChild, 'apiVersion' | 'kind' | 'name'>,
  over: Pick<ObservedChild, 'ready' | 'slice'> & Partial<ObservedChild>,
): ObservedChild => ({
  apiVersion,
  kind,
  namespace: 'training',
  name,
  uid: `uid-of-${name}`,
  resourceVersion: '1',
  ownerUid: 'uid-of-resnet',
  createdAt: START,
  deleting: false,
  digest: 'digest',
  owns: [],
  ...over,
});

/** The Job of a role. */
export function job(
  spec: DistributedTrainingSpec,
  attempt: number = 1,
  role: RoleName = 'worker',
  { suspended = false, condition, ...over }: JobOver = {},
): ObservedChild {
  const name = jobNameOf({ name: NAME, spec, attempt }, role);
  return childOf(
    { apiVersion: 'batch/v1', kind: 'Job', name },
    {
      ready: condition?.type === 'Complete',
      slice: {
        annotations: { 'trunnion.dev/attempt': String(attempt), 'trunnion.dev/template': templateHash(spec) },
        spec: { suspend: suspended },
        status: {
          conditions: condition
            ? [{ status: 'True', reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z', ...condition }]
            : [],
        },
      },
      ...over,
    },
  );
}

/** A pod of a Job; it runs unless more is said. */
export function pod(
  owner: ObservedChild,
  rank: number,
  over: Partial<ObservedPod> = {},
  role: RoleName = 'worker',
): ObservedPod {
  const attempt = String((owner.slice['annotations'] as Record<string, string>)['trunnion.dev/attempt']);
  return {
    namespace: 'training',
    name: `${owner.name}-${rank}-abcde`,
    uid: `uid-of-${owner.name}-${rank}`,
    labels: {
      'app.kubernetes.io/component': role,
      'batch.kubernetes.io/controller-uid': owner.uid,
      'batch.kubernetes.io/job-completion-index': String(rank),
      'batch.kubernetes.io/job-name': owner.name,
      'trunnion.dev/attempt': attempt,
    },
    annotations: {},
    createdAt: START,
    deleting: false,
    phase: 'Running',
    node: `gpu-${rank}`,
    conditions: [],
    containers: [container()],
    ...over,
  };
}

/** All pods of a Job, running. */
export const pods = (owner: ObservedChild, count: number = 4, over: Partial<ObservedPod> = {}): ObservedPod[] =>
  Array.from({ length: count }, (_, rank) => pod(owner, rank, over));

/** The same pods, but for one. */
export const butFor = (all: readonly ObservedPod[], rank: number, over: Partial<ObservedPod>): ObservedPod[] =>
  all.map((each, index) => (index === rank ? { ...each, ...over } : each));

export const container = (over: Partial<ObservedContainer> = {}): ObservedContainer => ({
  name: 'trainer',
  init: false,
  ready: true,
  started: true,
  restarts: 0,
  running: { startedAt: '2026-01-01T00:00:00Z' },
  ...over,
});

/** A pod whose program has ended. */
export function ended(exitCode: number, end: Partial<ContainerEnd> = {}): Partial<ObservedPod> {
  const terminated = {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    message: '',
    finishedAt: '2026-01-01T00:10:00Z',
    ...end,
  };
  const { running: _, ...stopped } = container({ ready: false, started: false });
  return { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containers: [{ ...stopped, terminated }] };
}

/** A pod that is removed for a reason of Kubernetes' own. */
export const disrupted = (reason: string): Partial<ObservedPod> => ({
  deleting: true,
  goneBy: START + 30 * SECOND,
  conditions: [{ type: 'DisruptionTarget', status: 'True', reason, message: '' }],
});

/** What a condition says, as one text: `False Starting`. */
export const conditionOf = (status: DistributedTrainingStatus, type: string): string | undefined => {
  const condition = status.conditions?.find((each) => each.type === type);
  return condition && `${condition.status} ${condition.reason}`;
};

/** The sentence of a condition. */
export const messageOf = (status: DistributedTrainingStatus, type: string): string =>
  status.conditions?.find((each) => each.type === type)?.message ?? '';
