import type { ContainerEnd, ObservedPod } from '../../engine/api/index.ts';
import { trainerEnd } from './trainer.ts';

/** What happened to a pod that its program is not to blame for. */
export interface Disruption {
  readonly reason: string;
  /** What happened to it, as the end of a sentence. */
  readonly description: string;
}

/** The reasons of Kubernetes' condition DisruptionTarget, described. */
const DISRUPTIONS: Readonly<Record<string, Disruption>> = {
  PreemptionByScheduler: { reason: 'Preempted', description: 'was preempted by a pod of higher priority' },
  EvictionByEvictionAPI: { reason: 'Drained', description: 'was evicted, as when a node is drained' },
  DeletionByTaintManager: {
    reason: 'NodeLost',
    description: 'was lost with its node, which no longer answers or is tainted',
  },
  DeletionByPodGC: { reason: 'NodeLost', description: 'was lost with its node, which is gone' },
  TerminationByKubelet: { reason: 'Evicted', description: 'was stopped by its node, which ran short or was shut down' },
};

const OTHER: Disruption = { reason: 'Disrupted', description: 'was disrupted' };

/**
 * The reason that the kubelet gives, with exit code 137, for a container that it no longer finds, as after its node
 * was started again (kubelet_pods.go, ContainerReasonStatusUnknown; 1.36).
 */
const UNKNOWN = 'ContainerStatusUnknown';
const FORGOTTEN: Disruption = {
  reason: 'NodeLost',
  description: 'was lost with its node, which no longer has its containers, as after it was started again',
};

/** What disrupted a pod, where something did. */
export function disruptionOf(pod: ObservedPod): Disruption | undefined {
  const target = pod.conditions.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  if (target) return DISRUPTIONS[target.reason] ?? OTHER;
  if (pod.deleting || pod.phase !== 'Failed') return undefined;
  const end = programFailure(pod);
  if (end !== undefined) return end.reason === UNKNOWN ? FORGOTTEN : undefined;
  return {
    reason: 'Rejected',
    description: `was refused or given up by its node (${pod.reason ?? 'no reason given'})`,
  };
}

/** How the program of a rank failed. */
export interface ProgramFailure extends ContainerEnd {
  /** The init container that failed, so that the program was never started; absent where the program itself ended. */
  readonly initContainer?: string;
}

/** How the program of a pod failed, where it did. Containers beside it do not count. */
export function programFailure(pod: ObservedPod): ProgramFailure | undefined {
  const end = trainerEnd(pod);
  if (end !== undefined) return end.exitCode === 0 ? undefined : end;
  for (const { init, sidecar, name, terminated } of pod.containers) {
    if (init && sidecar !== true && terminated && terminated.exitCode !== 0) {
      return { ...terminated, initContainer: name };
    }
  }
  return undefined;
}

/**
 * Whether the node of a pod no longer reports on it: the pod counts as unready though its containers, as far as the
 * node last said, are well. So it is until the node is taken for lost, and its pods are deleted.
 */
export const isUnreachable = ({ phase, conditions, containers }: ObservedPod): boolean =>
  phase === 'Running' &&
  conditions.some(({ type, status }) => type === 'Ready' && status !== 'True') &&
  containers.every(({ init, sidecar, ready }) => (init && sidecar !== true) || ready);

/** The first of the exit codes that say which signal ended a process. */
const SIGNALS = 128;

const NAMED: Readonly<Record<number, string>> = {
  126: 'CommandNotFound',
  127: 'CommandNotFound',
  [SIGNALS + 4]: 'Crashed',
  [SIGNALS + 6]: 'Crashed',
  [SIGNALS + 7]: 'Crashed',
  [SIGNALS + 8]: 'Crashed',
  [SIGNALS + 9]: 'Killed',
  [SIGNALS + 11]: 'Crashed',
  [SIGNALS + 15]: 'Terminated',
};

/** Why a program failed, in one word. What is charged is decided in attempt-ends.ts. */
export function reasonOfFailure({ exitCode, reason, initContainer }: ProgramFailure): string {
  if (initContainer !== undefined) return 'InitContainerFailed';
  if (reason === 'OOMKilled') return 'OutOfMemory';
  if (reason === 'StartError' || reason === 'ContainerCannotRun') return 'StartFailed';
  return NAMED[exitCode] ?? 'ProgramFailed';
}
