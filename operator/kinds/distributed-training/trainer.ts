import { TRAINER } from '../../../constructs/distributed-training/parts.ts';
import { instant } from '../../engine/api/index.ts';
import type { ContainerEnd, ObservedContainer, ObservedPod } from '../../engine/api/index.ts';

/**
 * The container `trainer` is the rank. Kubernetes goes by the pod instead: its phase, and so its Job, waits for every
 * container, and counts the worst end of them (kubelet_pods.go, getPhase; job_controller.go, isPodFailed; 1.36).
 *
 * | The trainer | A plain container beside it | The pod's phase | The rank |
 * |---|---|---|---|
 * | runs | has ended, well or badly | Running | runs; a bad end is reported |
 * | runs | can't start | Pending | runs; reported |
 * | ended with 0 | runs on, or can't start | Running, Pending | succeeded, after LINGER_MS |
 * | ended with 0 | ended with 0, before or after | Succeeded | succeeded |
 * | ended with 0 | ended badly, before or after | Failed | succeeded |
 * | ended badly, or was OOM-killed | runs on, or can't start | Running, Pending | failed, after LINGER_MS |
 * | ended badly, or was OOM-killed | has ended, however | Failed | failed, by the trainer's code |
 *
 * A native sidecar changes no phase: the kubelet starts it again while the trainer runs, and stops it afterwards. A pod
 * that is being removed goes by its conditions: a program may end with 0 because it was told to stop. Where
 * it had ended with 0 more than LINGER_MS before, it was done.
 */

/**
 * How long a pod may live on after its trainer, in milliseconds. Some containers end by themselves once the trainer has,
 * and a pod that its node gives up says so only once all of its containers have stopped (status_manager.go,
 * mergePodStatus).
 */
export const LINGER_MS = 10_000;

/** How the trainer of a pod ended; undefined where it has not. */
export const trainerEnd = (pod: ObservedPod): ContainerEnd | undefined => trainerOf(pod)?.terminated;

/** The containers that run beside the trainer. */
export const othersOf = ({ containers }: ObservedPod): readonly ObservedContainer[] =>
  containers.filter((container) => container.sidecar === true || (!container.init && container.name !== TRAINER));

/** Whether a pod is being removed, or was, and its trainer had not succeeded long before. */
export const isTakenAway = (pod: ObservedPod): boolean =>
  (pod.deleting || isDisrupted(pod)) && !endedBeforeGoing(pod, LINGER_MS);

/** Whether Kubernetes says of a pod that it is, or was, removed for a reason of its own. */
export const isDisrupted = ({ conditions }: ObservedPod): boolean =>
  conditions.some(({ type, status }) => type === 'DisruptionTarget' && status === 'True');

/**
 * Whether the trainer of a pod that is being removed had succeeded before.
 *
 * @param least - how long before, in milliseconds: a program may end with 0 because it was told to stop, and the clocks
 * of nodes differ
 */
export function endedBeforeGoing(pod: ObservedPod, least: number): boolean {
  const end = trainerEnd(pod);
  const finishedAt = end?.exitCode === 0 ? instant(end.finishedAt) : undefined;
  return finishedAt !== undefined && pod.goesSince !== undefined && finishedAt + least < pod.goesSince;
}

/** Codes of programs that end since they are told to: SIGINT, SIGKILL, SIGTERM. */
const STOPPED: ReadonlySet<number> = new Set([130, 137, 143]);

/**
 * Whether the trainer of a pod had failed before the pod was told to go. Times are of whole seconds: within one, a program
 * may have ended because it was told to stop.
 */
export function failedBeforeGoing(pod: ObservedPod): boolean {
  const end = trainerEnd(pod);
  if (end === undefined || end.exitCode === 0 || STOPPED.has(end.exitCode) || isDisrupted(pod)) return false;
  const finishedAt = instant(end.finishedAt);
  return finishedAt !== undefined && pod.goesSince !== undefined && finishedAt < pod.goesSince;
}

/** The phase of a rank: as that of its pod would be if it had no container but the trainer. */
export function phaseOfRank(pod: ObservedPod, now: number): string {
  const trainer = trainerOf(pod);
  if (trainer === undefined || isTakenAway(pod)) return pod.phase;
  const end = trainer.terminated;
  if (end === undefined) {
    const othersWait = othersOf(pod).some(({ waiting }) => waiting !== undefined);
    return trainer.running && othersWait && pod.phase === 'Pending' ? 'Running' : pod.phase;
  }
  const own = end.exitCode === 0 ? 'Succeeded' : 'Failed';
  // A pod that its node gave up has a reason of its own.
  if (pod.phase === 'Failed') return pod.reason === undefined || endedBeforeGoing(pod, LINGER_MS) ? own : pod.phase;
  return now < (lingersUntil(pod, now) ?? Infinity) ? pod.phase : own;
}

/**
 * Until when a pod is given time to end after its trainer, in milliseconds since the epoch; undefined where it needs none.
 * A node whose clock is far ahead gives no time to count from, so its pods are given none.
 */
export function lingersUntil(pod: ObservedPod, now: number): number | undefined {
  const end = trainerEnd(pod);
  const isKept = othersOf(pod).some(({ sidecar, terminated }) => sidecar !== true && terminated === undefined);
  const hasEnded = pod.phase === 'Succeeded' || pod.phase === 'Failed';
  if (end === undefined || !isKept || hasEnded || isTakenAway(pod)) return undefined;
  const until = (instant(end.finishedAt) ?? 0) + LINGER_MS;
  return until <= now + 2 * LINGER_MS ? until : now;
}

const trainerOf = ({ containers }: ObservedPod): ObservedContainer | undefined =>
  containers.find(({ init, name }) => !init && name === TRAINER);
