import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import type { ObservedPod } from '../../engine/kind.ts';
import { diagnosePod } from '../shared/diagnosis.ts';
import { because, quote } from '../shared/finding.ts';
import type { Finding } from '../shared/finding.ts';
import { deploymentState } from '../shared/slices.ts';
import type { DeploymentState } from '../shared/slices.ts';
import { missingPullSecrets, missingReferences } from './references.ts';
import type { View } from './view.ts';

/** How the servers stand. */
export interface Rollout {
  /** Absent as long as there is no Deployment. */
  readonly state?: DeploymentState;
  /** Whether all pods that there are, and as many as there should be, are of the newest template. */
  readonly complete: boolean;
  /** What keeps servers from being ready. */
  readonly finding?: Finding;
}

export function rolloutOf(view: View, template: ModelServingSpec): Rollout {
  if (!view.deployment) return { complete: false };
  const state = deploymentState(view.deployment);
  const complete = state.current && state.updated >= state.desired && state.replicas <= state.updated;
  const pods = complete ? view.servers : newestGeneration(view.servers);
  const finding =
    state.ready >= state.desired && complete
      ? undefined
      : (refusedPods(state) ??
        diagnose(view, pods, template) ??
        missingReferences(view, template)[0] ??
        overdue(state));
  return { state, complete, ...(finding && { finding }) };
}

/**
 * The pods of the newest template. While it rolls, what an older pod suffers from is what the change may cure, and says
 * nothing of the new ones.
 */
function newestGeneration(pods: readonly ObservedPod[]): readonly ObservedPod[] {
  const hash = pods[0]?.labels['pod-template-hash'];
  return pods.filter(({ labels }) => labels['pod-template-hash'] === hash);
}

/** The Deployment can't make its pods at all. */
function refusedPods({ conditions }: DeploymentState): Finding | undefined {
  const refusal = conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  if (!refusal) return undefined;
  return /exceeded quota/.test(refusal.message)
    ? {
        reason: 'QuotaExceeded',
        message: `The namespace's quota leaves no room for the pods${because(refusal.message)}. Raise the quota or ask for less.`,
        stuck: true,
      }
    : {
        reason: 'PodsForbidden',
        message: `The API server refuses the pods${because(refusal.message)}. Change the spec or the policy.`,
        stuck: true,
      };
}

/** The worst of what the pods suffer from: what waiting does not cure, the newest first. */
function diagnose(view: View, pods: readonly ObservedPod[], { resources }: ModelServingSpec): Finding | undefined {
  const findings = pods.flatMap((pod) => diagnosePod(pod, resources) ?? []);
  const worst = findings.find(({ stuck }) => stuck) ?? findings[0];
  const secrets = missingPullSecrets(view);
  if (worst?.reason !== 'ImagePullFailed' || secrets.length === 0) return worst;
  return { ...worst, message: `${worst.message} There is no Secret ${secrets.join(', ')}.` };
}

function overdue({ conditions }: DeploymentState): Finding | undefined {
  const progress = conditions.find(({ type }) => type === 'Progressing');
  if (progress?.status !== 'False') return undefined;
  return {
    reason: 'NeverReady',
    message: `The servers did not become ready in time (${quote(progress.message)}). Read their log for what takes so long.`,
    stuck: true,
  };
}
