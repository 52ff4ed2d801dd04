import type { Ask } from '../../engine/asks.ts';
import type { Snapshot } from '../../engine/kind.ts';
import type { ObservedChild, ObservedPod } from '../../engine/observed.ts';
import { diagnosePod } from './diagnosis.ts';
import { lastWordsAsks } from './ends.ts';
import { quote } from './finding.ts';
import type { Finding } from './finding.ts';
import { nodeAsks, outlookOf } from './nodes.ts';
import { refusedPods } from './refused-pods.ts';
import type { Accelerators, Surroundings } from './scheduling.ts';
import { deploymentState } from './slices.ts';
import type { DeploymentState } from './slices.ts';

/** How the pods of a Deployment stand. */
export interface Rollout {
  /** Absent as long as there is no Deployment. */
  readonly state?: DeploymentState;
  /** Whether all pods that there are, and as many as there should be, are of the newest template. */
  readonly complete: boolean;
  /** What keeps pods from being ready. */
  readonly finding?: Finding;
  readonly asks: readonly Ask[];
}

/** What a rollout is judged by. */
export interface Rolling {
  readonly deployment: ObservedChild | undefined;
  /** Pods of the Deployment, newest first. */
  readonly pods: readonly ObservedPod[];
  readonly asked: Accelerators;
  /**
   * Whether a change makes a new pod before an old one stops, and `rollout.maxSurge: 0` would turn that round.
   *
   * @default false
   */
  readonly surges?: boolean;
  readonly facts: Snapshot['facts'];
  /** What they refer to and does not exist. */
  readonly missing: readonly Finding[];
  /** The Secrets to pull images with that do not exist. */
  readonly missingPullSecrets: readonly string[];
}

export function rolloutOf(rolling: Rolling): Rollout {
  const { deployment, missing } = rolling;
  if (!deployment) return { complete: false, asks: [] };
  const state = deploymentState(deployment);
  const complete = state.current && state.updated >= state.desired && state.replicas <= state.updated;
  const pods = complete ? rolling.pods : newestGeneration(rolling.pods);
  const outlook = outlookOf(rolling, pods);
  const held = complete || rolling.surges !== true ? 0 : holding(rolling.pods, pods);
  const finding =
    state.ready >= state.desired && complete
      ? undefined
      : (refusedPodsOf(state) ??
        diagnose(rolling, pods, { outlook, held, facts: rolling.facts }) ??
        missing[0] ??
        overdue(state));
  return {
    state,
    complete,
    ...(finding && { finding }),
    asks: [...nodeAsks(pods), ...lastWordsAsks(pods)],
  };
}

/**
 * The pods of the newest template. While it rolls, what an older pod suffers from is what the change may cure, and says
 * nothing of the new ones.
 */
function newestGeneration(pods: readonly ObservedPod[]): readonly ObservedPod[] {
  const hash = pods[0]?.labels['pod-template-hash'];
  return pods.filter(({ labels }) => labels['pod-template-hash'] === hash);
}

/**
 * How many pods of earlier templates have a place that they don't give up by themselves, and that a new one could take: one
 * that asks for other GPUs makes no room by leaving.
 */
const holding = (all: readonly ObservedPod[], newest: readonly ObservedPod[]): number =>
  all.filter(
    (pod) => pod.node !== undefined && !pod.deleting && !newest.includes(pod) && pod.devices === newest.at(0)?.devices,
  ).length;

/** The Deployment can't make its pods at all. */
function refusedPodsOf({ conditions }: DeploymentState): Finding | undefined {
  const refusal = conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  return refusal && refusedPods(refusal.message);
}

/** The worst of what the pods suffer from: what waiting does not cure, the newest first. */
function diagnose(
  { asked, missingPullSecrets }: Rolling,
  pods: readonly ObservedPod[],
  around: Surroundings,
): Finding | undefined {
  const findings = pods.flatMap((pod) => diagnosePod(pod, asked, around) ?? []);
  const worst = findings.find(({ stuck }) => stuck) ?? findings[0];
  if (worst?.reason !== 'ImagePullFailed' || missingPullSecrets.length === 0) return worst;
  return { ...worst, message: `${worst.message} There is no Secret ${missingPullSecrets.join(', ')}.` };
}

function overdue({ conditions }: DeploymentState): Finding | undefined {
  const progress = conditions.find(({ type }) => type === 'Progressing');
  if (progress?.status !== 'False') return undefined;
  return {
    reason: 'NeverReady',
    message: `The pods did not become ready in time (${quote(progress.message)}). Read their log for what takes so long.`,
    stuck: true,
  };
}
