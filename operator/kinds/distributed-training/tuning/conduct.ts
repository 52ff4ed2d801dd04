import type { DistributedTrainingRuntime, TrialRuntime } from '../../../../constructs/distributed-training/runtime.ts';
import type {
  DistributedTrainingSpec,
  DistributedTrainingStatus,
} from '../../../../constructs/distributed-training/spec.ts';
import type { Tuning } from '../../../../constructs/distributed-training/trial.ts';
import { instant } from '../../../engine/conditions.ts';
import type { Decision, Snapshot } from '../../../engine/kind.ts';
import { completed } from '../view.ts';
import type { DistributedTrainingResource } from '../view.ts';
import { searchCourse } from './course.ts';
import type { SearchCourse } from './course.ts';
import { searchStatus } from './status.ts';
import { isOver, trialsOf } from './trials.ts';

/** Whether a resource is a search, whose children are trainings. */
export const isSearch = ({ resource }: Snapshot<DistributedTrainingResource>): boolean =>
  resource.spec.tuning !== undefined;

/** What to do now with a search: it does nothing but start trials, and stop them. */
export function conductSearch(
  snapshot: Snapshot<DistributedTrainingResource>,
  now: number,
): Decision<DistributedTrainingRuntime, DistributedTrainingStatus> {
  const { resource } = snapshot;
  const spec = completed(resource.spec) as DistributedTrainingSpec & { readonly tuning: Tuning };
  const { status: before = {}, metadata } = resource;
  const isChanged = before.observedGeneration !== metadata.generation;
  const told = { status: before, facts: snapshot.facts, isChanged };
  const course = searchCourse(spec, told, trialsOf(snapshot), now);
  const { asks, wakeAt = Infinity } = course.suggestion;
  const status = searchStatus({ snapshot, spec, course }, now);
  const expiresAt = course.outcome && expiryOf(spec, before.completionTime);
  const next = Math.min(wakeAt, expiresAt ?? Infinity);
  return {
    runtime: { trials: runtimeOf(course, spec.suspend) },
    status,
    asks,
    ...(course.undecided === true && { undecided: true }),
    ...(expiresAt !== undefined && now >= expiresAt && { expire: true }),
    ...(next > now && next < Infinity && { wakeAt: next }),
  };
}

/** A trial that has ended and whose training somebody deleted is not made anew: it would run again. */
function runtimeOf({ trials, outcome }: SearchCourse, suspend: boolean): readonly TrialRuntime[] {
  return trials.flatMap(({ line, child }): TrialRuntime[] => {
    const { number, assignments } = line;
    if (isOver(line)) return child ? [{ number, assignments, lifecycle: 'over' }] : [];
    if (outcome && !child) return [];
    return [{ number, assignments, lifecycle: outcome || suspend ? 'stopped' : 'running' }];
  });
}

function expiryOf({ ttlSecondsAfterFinished }: DistributedTrainingSpec, completionTime: string | undefined) {
  const over = instant(completionTime);
  return over === undefined || ttlSecondsAfterFinished === undefined
    ? undefined
    : over + ttlSecondsAfterFinished * 1000;
}
