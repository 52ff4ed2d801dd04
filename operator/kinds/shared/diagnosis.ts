import type { ObservedContainer, ObservedPod } from '../../engine/api/index.ts';
import { diagnoseEnd } from './ends.ts';
import { because, quote } from './diagnosis-text.ts';
import type { Diagnosis } from './diagnosis-text.ts';
import { diagnoseNotAnswering } from './not-answering.ts';
import { unschedulable } from './scheduling.ts';
import type { Accelerators } from './accelerators.ts';
import type { Surroundings } from './scheduling.ts';

const IMAGE_REASONS = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
]);

/** What keeps a pod from being ready, where it is more than time. */
export function diagnosePod(pod: ObservedPod, asked: Accelerators, around: Surroundings = {}): Diagnosis | undefined {
  const scheduled = pod.conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False' && scheduled.reason === 'Unschedulable') {
    return unschedulable(scheduled.message, asked, around);
  }
  for (const container of pod.containers) {
    const diagnosis = diagnoseContainer(pod, container, around.answers);
    if (diagnosis) return diagnosis;
  }
  if (pod.phase !== 'Failed') return diagnoseNotAnswering(pod);
  const refusal = pod.conditions.find(({ status, message }) => status === 'False' && message !== '');
  return {
    reason: 'PodFailed',
    message: `Pod ${pod.name} failed (${pod.reason ?? 'no reason given'})${because(refusal?.message ?? '')}. Its node gives more: kubectl describe pod ${pod.name}.`,
    stuck: false,
  };
}

/** What is the matter with one container, where it is more than time. */
export function diagnoseContainer(
  pod: ObservedPod,
  container: ObservedContainer,
  answers: Surroundings['answers'],
): Diagnosis | undefined {
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
  const end = diagnoseEnd(pod, container, answers);
  if (end) return end;
  if (waiting && waiting.reason.endsWith('Error')) {
    return {
      reason: 'StartFailed',
      message: `Container ${name} can't be started (${waiting.reason})${because(waiting.message)}.`,
      stuck: true,
    };
  }
  return undefined;
}

/**
 * The registry's words: the kubelet says them now bare, now behind its back-off, and a condition that follows it would be
 * written at each change.
 */
const causeOfPull = (message: string): string =>
  quote(message.replace(/^Back-off pulling image "[^"]*":?\s*/, '').replace(/^ErrImagePull:\s*/, ''));
