import type { ContainerEnd, ObservedContainer, ObservedPod } from '../../engine/observed.ts';
import { because, quote } from './finding.ts';
import type { Finding } from './finding.ts';
import { saying } from './last-words.ts';
import { unschedulable } from './scheduling.ts';
import type { Accelerators } from './scheduling.ts';

const IMAGE_REASONS = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
]);

/** The codes of a process that the kubelet stopped: SIGKILL and SIGTERM. */
const STOPPED_BY_KUBELET = new Set([137, 143]);

/**
 * What keeps a pod from being ready, where it is more than time.
 *
 * A container that crashed and runs again counts as crashing until it is ready: else a crash loop would look well
 * whenever it is between two crashes.
 */
export function diagnosePod(pod: ObservedPod, asked: Accelerators): Finding | undefined {
  const scheduled = pod.conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False' && scheduled.reason === 'Unschedulable') {
    return unschedulable(scheduled.message, asked);
  }
  for (const container of pod.containers) {
    const finding = diagnoseContainer(container);
    if (finding) return finding;
  }
  if (pod.phase !== 'Failed') return undefined;
  const refusal = pod.conditions.find(({ status, message }) => status === 'False' && message !== '');
  return {
    reason: 'PodFailed',
    message: `Pod ${pod.name} failed (${pod.reason ?? 'no reason given'})${because(refusal?.message ?? '')}. Its node gives more: kubectl describe pod ${pod.name}.`,
    stuck: false,
  };
}

/** How a container last ended badly, unless it has become ready since. */
export function lastFailure(container: ObservedContainer): ContainerEnd | undefined {
  if (container.ready) return undefined;
  const end = container.terminated ?? container.lastTerminated;
  return end !== undefined && end.exitCode !== 0 ? end : undefined;
}

/** What is the matter with one container, where it is more than time. */
export function diagnoseContainer(container: ObservedContainer): Finding | undefined {
  const { name, waiting } = container;
  if (waiting && IMAGE_REASONS.has(waiting.reason)) {
    return {
      reason: 'ImagePullFailed',
      message: `The image ${container.image ?? 'of'} container ${name} can't be pulled${because(causeOfPull(waiting.message))}. Check its name and imagePullSecrets.`,
      stuck: true,
    };
  }
  if (waiting?.reason === 'CreateContainerConfigError') {
    return {
      reason: 'ReferenceMissing',
      message: `Container ${name} refers to something that does not exist${because(waiting.message)}. Create it; the pod then starts by itself.`,
      stuck: true,
    };
  }
  const end = lastFailure(container);
  if (end) return diagnoseEnd(container, end);
  if (waiting && waiting.reason.endsWith('Error')) {
    return {
      reason: 'StartFailed',
      message: `Container ${name} can't be started (${waiting.reason})${because(waiting.message)}.`,
      stuck: true,
    };
  }
  return undefined;
}

function diagnoseEnd({ name, started }: ObservedContainer, end: ContainerEnd): Finding {
  if (end.reason === 'OOMKilled') {
    return {
      reason: 'OutOfMemory',
      message: `Container ${name} was killed for want of memory (exit code ${end.exitCode}). Raise resources.memory, or let it need less.`,
      stuck: true,
    };
  }
  if (STOPPED_BY_KUBELET.has(end.exitCode) && !started) {
    return {
      reason: 'NeverReady',
      message: `Container ${name} was stopped (exit code ${end.exitCode}) since it did not become ready within its startup budget${saying(end.message)}. Read its log for what takes so long.`,
      stuck: true,
    };
  }
  return {
    reason: 'CrashLoop',
    message: `Container ${name} ends with exit code ${end.exitCode}${saying(end.message)}. Read the log of its last run: kubectl logs --previous -c ${name}.`,
    stuck: true,
  };
}

/**
 * The registry's words: the kubelet says them now bare, now behind its back-off, and a condition that follows it would be
 * written at each change.
 */
const causeOfPull = (message: string): string =>
  quote(message.replace(/^Back-off pulling image "[^"]*":?\s*/, '').replace(/^ErrImagePull:\s*/, ''));
