import { leastPods, podCount } from '../../../constructs/distributed-training/roles.ts';
import { conditionOf } from '../../engine/conditions.ts';
import type { Verdict } from '../../engine/conditions.ts';
import { standing } from '../shared/standing.ts';
import type { Condition } from '../../engine/kind.ts';
import type { Course, Outcome } from './course.ts';
import { isQueued } from './queue.ts';
import type { Stop } from './stop.ts';
import { sidecarFindings } from './sidecars.ts';
import { asksOf, closedHosts, findingsOf, problemsOf } from './trouble.ts';
import { currentRanks, isUp } from './view.ts';
import type { View } from './view.ts';

/** All that the conditions are made from. */
export interface Situation {
  readonly view: View;
  readonly course: Course;
  readonly stop: Stop;
}

/** A condition without its type. */
export type Saying = Pick<Verdict, 'status' | 'reason' | 'message'>;

/** What each condition says. */
export function verdictsOf(situation: Situation, now: number): readonly Verdict[] {
  const running = runningOf(situation, now);
  const isRunning = running.status === 'True';
  return [
    { type: 'Accepted', ...holds('Accepted', 'The spec can work.') },
    { type: 'Running', ...running },
    { type: 'Restarting', ...restartingOf(situation, isRunning) },
    { type: 'Suspended', ...suspendedOf(situation) },
    { type: 'Complete', ...endedOf(situation.course.outcome, true) },
    { type: 'Failed', ...endedOf(situation.course.outcome, false) },
  ];
}

/** Whether an attempt has ended, and the next one is yet to come. */
const isBetween = ({ view, course }: Situation): boolean => course.attempt !== view.attempt;

function runningOf(situation: Situation, now: number): Saying {
  const { view, course, stop } = situation;
  const { outcome, attempt, nextAttemptAt } = course;
  if (outcome) return lacks(outcome.reason, outcome.message);
  const refused = problemsOf(view).find(({ stuck }) => stuck);
  if (view.spec.suspend)
    return refused ? lacks(refused.reason, refused.message) : lacks('Suspended', 'It is suspended.');
  if (isBetween(situation) || (!stop.quiet && view.jobs.size === 0)) {
    return lacks('Stopping', `Attempt ${attempt} starts once no pod of an earlier one is left.`);
  }
  if (isUpAltogether(view)) {
    const runs = 'All that is needed runs.';
    const told = refused ?? sidecarFindings(view)[0] ?? closedHosts(view)[0];
    return told ? holds(told.reason, `${runs} ${told.message}`) : holds('Running', runs);
  }
  const [finding = standing(view.snapshot, 'Running', asksOf(view, now))] = findingsOf(view, now);
  if (finding?.stuck === true) return lacks(finding.reason, finding.message);
  if (isQueued(view)) return lacks('Queued', `It waits for its turn in queue ${view.spec.queue}.`);
  if (view.jobs.size === 0 && nextAttemptAt !== undefined) {
    return lacks('BackingOff', `Attempt ${attempt} starts at ${nextAttemptAt}.`);
  }
  return finding ? lacks(finding.reason, finding.message) : lacks('Starting', 'Not all ranks run yet.');
}

/** Whether as many ranks run, or have ended well, as it takes. */
function isUpAltogether(view: View): boolean {
  const up = currentRanks(view).filter(isUp).length;
  return up >= (view.spec.elastic ? leastPods(view.spec) : podCount(view.spec));
}

function restartingOf({ view, course }: Situation, isRunning: boolean): Saying {
  const last = course.attempts.at(-1);
  const isOver = course.outcome !== undefined || view.spec.suspend;
  if (isRunning || isOver || !last || last.reason === 'Suspended')
    return lacks('NotRestarting', 'No attempt is to follow.');
  const budget = `${course.failures} of ${view.spec.retry.limit} retries are used up.`;
  return holds(last.reason, `Attempt ${last.number} is over. ${last.message ?? ''} ${budget}`);
}

const suspendedOf = ({ view, course, stop }: Situation): Saying =>
  suspensionOf({
    wanted: view.spec.suspend && !course.outcome,
    isStill: stop.quiet && view.ranks.length === 0,
    before: view.status.conditions,
  });

/** What the condition Suspended says: of a training, and of a search. */
export function suspensionOf(pause: {
  readonly wanted: boolean;
  /** Whether nothing runs any more. */
  readonly isStill: boolean;
  readonly before: readonly Condition[] | undefined;
}): Saying {
  if (pause.wanted) {
    return pause.isStill
      ? holds('Suspended', 'No pod runs. Set suspend to false to go on.')
      : holds('Suspending', 'Its pods are being stopped.');
  }
  const was = conditionOf(pause.before, 'Suspended');
  const isResumed = was?.status === 'True' || was?.reason === 'Resumed';
  return isResumed ? lacks('Resumed', 'It was resumed.') : lacks('NotSuspended', 'It is not suspended.');
}

/** What the conditions Complete and Failed say. */
export function endedOf(outcome: Outcome | undefined, complete: boolean): Saying {
  if (outcome?.complete === complete) return holds(outcome.reason, outcome.message);
  return outcome ? lacks(outcome.reason, outcome.message) : lacks('Unfinished', 'It goes on.');
}

export const holds = (reason: string, message: string): Saying => ({ status: 'True', reason, message });
export const lacks = (reason: string, message: string): Saying => ({ status: 'False', reason, message });
