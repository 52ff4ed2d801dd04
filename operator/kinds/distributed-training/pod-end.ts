import type { ContainerEnd, ObservedPod } from '../../engine/api/index.ts';
import { trainerEnd } from './trainer.ts';

/** What happened to a pod that its program is not to blame for. */
export interface Disruption {
  readonly reason: string;
  /** What happened to it, as the end of a sentence. */
  readonly words: string;
}

/** The reasons of Kubernetes' condition DisruptionTarget, in our words. */
const DISRUPTIONS: Readonly<Record<string, Disruption>> = {
  PreemptionByScheduler: { reason: 'Preempted', words: 'was preempted by a pod of higher priority' },
  EvictionByEvictionAPI: { reason: 'Drained', words: 'was evicted, as when a node is drained' },
  DeletionByTaintManager: {
    reason: 'NodeLost',
    words: 'was lost with its node, which no longer answers or is tainted',
  },
  DeletionByPodGC: { reason: 'NodeLost', words: 'was lost with its node, which is gone' },
  TerminationByKubelet: { reason: 'Evicted', words: 'was stopped by its node, which ran short or was shut down' },
};

const OTHER: Disruption = { reason: 'Disrupted', words: 'was disrupted' };

/**
 * The reason that the kubelet makes up, with exit code 137, for a container that it no longer finds, as after its node
 * was started again (kubelet_pods.go, ContainerReasonStatusUnknown; 1.36).
 */
const UNKNOWN = 'ContainerStatusUnknown';
const FORGOTTEN: Disruption = {
  reason: 'NodeLost',
  words: 'was lost with its node, which no longer has its containers, as after it was started again',
};

/** What disrupted a pod, where something did. */
export function disruptionOf(pod: ObservedPod): Disruption | undefined {
  const target = pod.conditions.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  if (target) return DISRUPTIONS[target.reason] ?? OTHER;
  if (pod.deleting || pod.phase !== 'Failed') return undefined;
  const end = programEnd(pod);
  if (end !== undefined) return end.reason === UNKNOWN ? FORGOTTEN : undefined;
  return { reason: 'Rejected', words: `was refused or given up by its node (${pod.reason ?? 'no reason given'})` };
}

/** How the program of a rank ended. */
export interface ProgramEnd extends ContainerEnd {
  /** The init container that failed, so that the program was never started; absent where the program itself ended. */
  readonly initContainer?: string;
}

/** How the program of a pod ended, where it ended badly. Containers beside it are not asked. */
export function programEnd(pod: ObservedPod): ProgramEnd | undefined {
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
 * Whether the node of a pod no longer tells about it: the pod counts as unready though its containers, as far as the
 * node last said, are well. So it is until the node is taken for lost, and its pods are told to go.
 */
export const isUnheardOf = ({ phase, conditions, containers }: ObservedPod): boolean =>
  phase === 'Running' &&
  conditions.some(({ type, status }) => type === 'Ready' && status !== 'True') &&
  containers.every(({ init, sidecar, ready }) => (init && sidecar !== true) || ready);

/** The first code of those that tell the signal that ended a process. */
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

/** Why a program ended, in one word. */
export function reasonOfEnd({ exitCode, reason, initContainer }: ProgramEnd): string {
  if (initContainer !== undefined) return 'InitContainerFailed';
  if (reason === 'OOMKilled') return 'OutOfMemory';
  if (reason === 'StartError' || reason === 'ContainerCannotRun') return 'StartFailed';
  return NAMED[exitCode] ?? 'ProgramFailed';
}
