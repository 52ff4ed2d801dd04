import { instant } from '../../engine/conditions.ts';
import { largest } from '../../../constructs/parts/extremes.ts';
import { jobState } from '../shared/slices.ts';
import { trainerEnd } from './trainer.ts';
import type { Rank, View } from './view.ts';

/** How it is known that a training has done its work. */
export interface Completion {
  /** When, in milliseconds since the epoch, as far as that is told. */
  readonly at?: number;
}

/**
 * That the leading role has done its work: its Job says so, or all of its trainers have ended well though the Job, which
 * counts pods, does not take some of them for done. Undefined where it has not.
 */
export function completionOf(view: View): Completion | undefined {
  const job = view.jobs.get(view.roles.leading);
  if (job === undefined) return undefined;
  if (jobState(job).complete) {
    const { completionTime } = (job.slice['status'] ?? {}) as { readonly completionTime?: string };
    return at(instant(completionTime));
  }
  const done = doneRanks(view);
  if (!done.some(({ uncounted }) => uncounted)) return undefined;
  const indexes = new Set(done.map(({ rank }) => rank));
  if (!neededRanks(view).every((rank) => indexes.has(rank) || names(completedIndexes(job), rank))) return undefined;
  const ends = done.flatMap(({ pod }) => instant(trainerEnd(pod)?.finishedAt) ?? []);
  return at(ends.length === 0 ? undefined : largest(ends));
}

const at = (time: number | undefined): Completion => (time === undefined ? {} : { at: time });

/** The ranks of the leading role that have ended well. */
const doneRanks = ({ ranks, roles }: View): readonly Rank[] =>
  ranks.filter(({ role, pod }) => role === roles.leading && pod.phase === 'Succeeded');

/** The ranks whose end is the end of the training; the same that the Job's success policy goes by. */
function neededRanks({ spec, roles }: View): readonly number[] {
  const count = roles.all.find(({ name }) => name === roles.leading)?.count ?? 1;
  return spec.elastic ? [0] : Array.from({ length: count }, (_, index) => index);
}

const completedIndexes = ({ slice }: { readonly slice: Readonly<Record<string, unknown>> }): string =>
  ((slice['status'] ?? {}) as { readonly completedIndexes?: string }).completedIndexes ?? '';

/** Whether a Job names an index: `0-3,5`. */
const names = (text: string, index: number): boolean =>
  text
    .split(',')
    .filter((range) => /^\d+(?:-\d+)?$/.test(range))
    .some((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return first <= index && index <= last;
    });
