import { ATTEMPT, INDEX_LABEL } from '../../constructs/distributed-training/parts.ts';
import type { ObservedContainer, ObservedPod } from '../../operator/engine/api/index.ts';

/** One run of a container, which has a log of its own. */
export interface Source {
  readonly pod: string;
  /** UID of the pod. */
  readonly uid: string;
  readonly container: string;
  /** How often the container had been restarted before. */
  readonly run: number;
  /** What stands before each line: `worker-3`, or the pod's name; `/fetch` where a pod has more than one container. */
  readonly label: string;
}

/** Which logs are asked for. */
export interface Selection {
  readonly pod?: string;
  readonly container?: string;
  /** @default false */
  readonly previous?: boolean;
  readonly rank?: number;
}

/** The runs of a pod's containers that have something to say, in the order in which they began. */
export function sourcesOf(pod: ObservedPod, selection: Selection): readonly Source[] {
  const { container, previous = false, rank } = selection;
  if (selection.pod !== undefined && selection.pod !== pod.name) return [];
  if (rank !== undefined && pod.labels[INDEX_LABEL] !== String(rank)) return [];
  return pod.containers
    .filter(({ name }) => container === undefined || name === container)
    .filter(previous ? hasPrevious : hasStarted)
    .map(({ name, restarts }) => ({
      pod: pod.name,
      uid: pod.uid,
      container: name,
      run: restarts,
      label: pod.containers.length > 1 ? `${labelOf(pod)}/${name}` : labelOf(pod),
    }));
}

/** Whether a run will say nothing more, as its pod is now. */
export function isOver({ uid, container, run }: Source, pod: ObservedPod | undefined): boolean {
  if (pod === undefined || pod.uid !== uid) return true;
  const now = pod.containers.find(({ name }) => name === container);
  return now === undefined || now.restarts > run || now.running === undefined;
}

const hasStarted = ({ running, terminated, lastTerminated }: ObservedContainer): boolean =>
  running !== undefined || terminated !== undefined || lastTerminated !== undefined;

const hasPrevious = ({ restarts, lastTerminated }: ObservedContainer): boolean =>
  restarts > 0 || lastTerminated !== undefined;

/** A rank of a training by its role, and its attempt where that is not the first; else the pod by its name. */
function labelOf({ name, labels }: ObservedPod): string {
  const rank = labels[INDEX_LABEL];
  if (rank === undefined) return name;
  const attempt = labels[ATTEMPT] ?? '1';
  return `${labels['app.kubernetes.io/component'] ?? 'pod'}-${rank}${attempt === '1' ? '' : ` #${attempt}`}`;
}
