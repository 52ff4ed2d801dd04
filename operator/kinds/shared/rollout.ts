import type { Query, Snapshot, ObservedPod } from '../../engine/api/index.ts';
import { diagnosePod } from './diagnosis.ts';
import { lastWordsQueries } from './ends.ts';
import { quote } from './diagnosis-text.ts';
import type { Diagnosis } from './diagnosis-text.ts';
import { GROUP_LABELS } from './leader-worker-set.ts';
import { nodeQueries, outlookOf } from './nodes.ts';
import { refusedPods } from './refused-pods.ts';
import type { Accelerators } from './accelerators.ts';
import type { Surroundings } from './scheduling.ts';
import type { DeploymentState } from './slices.ts';

/** How the pods of a workload stand. */
export interface Rollout {
  /** Absent as long as there is nothing that makes them. */
  readonly state?: DeploymentState;
  /** Whether all pods that there are, and as many as there should be, are of the newest template. */
  readonly complete: boolean;
  /** What keeps pods from being ready. */
  readonly diagnosis?: Diagnosis;
  readonly queries: readonly Query[];
}

/** What a rollout is judged by. */
export interface Rolling {
  /** Of the Deployment, or what stands for one; absent as long as there is none. */
  readonly state: DeploymentState | undefined;
  /** Its pods, newest first. */
  readonly pods: readonly ObservedPod[];
  readonly asked: Accelerators;
  /**
   * Whether a change makes a new pod before an old one stops, and `rollout.maxSurge: 0` would turn that round.
   *
   * @default false
   */
  readonly surges?: boolean;
  readonly answers: Snapshot['answers'];
  /** What they refer to and does not exist. */
  readonly missing: readonly Diagnosis[];
  /** The Secrets to pull images with that do not exist. */
  readonly missingPullSecrets: readonly string[];
  /**
   * What is told where no pod tells anything.
   *
   * @default - nothing
   */
  readonly otherwise?: Diagnosis | undefined;
}

export function rolloutOf(rolling: Rolling): Rollout {
  const { state, missing, otherwise } = rolling;
  if (!state) return { complete: false, queries: [] };
  const complete = state.current && state.updated >= state.desired && state.replicas <= state.updated;
  const pods = complete ? rolling.pods : newestGeneration(rolling.pods);
  const outlook = outlookOf(rolling, pods);
  const held = complete || rolling.surges !== true ? 0 : holding(rolling.pods, pods);
  const diagnosis =
    state.ready >= state.desired && complete
      ? undefined
      : (refusedPodsOf(state) ??
        diagnose(rolling, pods, { outlook, held, answers: rolling.answers }) ??
        missing[0] ??
        otherwise ??
        overdue(state));
  return {
    state,
    complete,
    ...(diagnosis && { diagnosis }),
    queries: [...nodeQueries(pods), ...lastWordsQueries(pods)],
  };
}

/** How far a rollout is that is under way: counts that are true at each moment of it. */
export function rolloutInWords({
  desired,
  updated,
  replicas,
}: Pick<DeploymentState, 'desired' | 'updated' | 'replicas'>): string {
  if (updated > desired) return `${updated} replicas run, and ${desired} are wanted: the others are being stopped.`;
  const newest = `${updated} of ${desired} replicas are of the newest template`;
  const older = replicas - updated;
  if (older <= 0) return `${newest}.`;
  return `${newest}; ${older} of an earlier one ${older === 1 ? 'runs' : 'run'} until replaced.`;
}

/**
 * The pods of the newest template. While it rolls, what an older pod suffers from is what the change may cure, and says
 * nothing of the new ones.
 */
function newestGeneration(pods: readonly ObservedPod[]): readonly ObservedPod[] {
  const hash = templateHashOf(pods[0]);
  return pods.filter((pod) => templateHashOf(pod) === hash);
}

/** By the labels of a Deployment's pods, and of those of a LeaderWorkerSet. */
const templateHashOf = (pod: ObservedPod | undefined): string | undefined =>
  pod?.labels['pod-template-hash'] ?? pod?.labels[GROUP_LABELS.revision];

/**
 * How many pods of earlier templates have a place that they don't give up by themselves, and that a new one could take: one
 * that asks for other GPUs makes no room by leaving.
 */
const holding = (all: readonly ObservedPod[], newest: readonly ObservedPod[]): number =>
  all.filter(
    (pod) => pod.node !== undefined && !pod.deleting && !newest.includes(pod) && pod.devices === newest.at(0)?.devices,
  ).length;

/** The Deployment can't make its pods at all. */
function refusedPodsOf({ conditions }: DeploymentState): Diagnosis | undefined {
  const refusal = conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  return refusal && refusedPods(refusal.message);
}

/** The worst of what the pods suffer from: what waiting does not cure, the newest first. */
function diagnose(
  { asked, missingPullSecrets }: Rolling,
  pods: readonly ObservedPod[],
  around: Surroundings,
): Diagnosis | undefined {
  const diagnoses = pods.flatMap((pod) => diagnosePod(pod, asked, around) ?? []);
  const worst = diagnoses.find(({ stuck }) => stuck) ?? diagnoses[0];
  if (worst?.reason !== 'ImagePullFailed' || missingPullSecrets.length === 0) return worst;
  return { ...worst, message: `${worst.message} There is no Secret ${missingPullSecrets.join(', ')}.` };
}

function overdue({ conditions }: DeploymentState): Diagnosis | undefined {
  const progress = conditions.find(({ type }) => type === 'Progressing');
  if (progress?.status !== 'False') return undefined;
  return {
    reason: 'NeverReady',
    message: `The pods did not become ready in time (${quote(progress.message)}). Read their log for what takes so long.`,
    stuck: true,
  };
}
