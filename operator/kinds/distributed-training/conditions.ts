import { leastPods, podCount } from '../../../constructs/distributed-training/roles.ts';
import { conditionOf } from '../../engine/api/index.ts';
import { carriedOver } from '../shared/carried-over.ts';
import type { BareCondition, Condition } from '../../engine/api/index.ts';
import type { AttemptState, Outcome } from './attempt-state.ts';
import { isQueued } from './queue.ts';
import type { Stop } from './stop.ts';
import { sidecarFindings } from './sidecars.ts';
import { queriesOf, closedHosts, findingsOf, problemsOf } from './trouble.ts';
import { currentRanks, isUp } from './observed.ts';
import type { Observed } from './observed.ts';

/** All that the conditions are made from. */
export interface Context {
  readonly observed: Observed;
  readonly attemptState: AttemptState;
  readonly stop: Stop;
}

/** A condition without its type. */
export type Saying = Pick<BareCondition, 'status' | 'reason' | 'message'>;

/** What each condition says. */
export function verdictsOf(context: Context, now: number): readonly BareCondition[] {
  const running = runningOf(context, now);
  const isRunning = running.status === 'True';
  return [
    { type: 'Accepted', ...holds('Accepted', 'The spec is valid.') },
    { type: 'Running', ...running },
    { type: 'Restarting', ...restartingOf(context, isRunning) },
    { type: 'Suspended', ...suspendedOf(context) },
    { type: 'Complete', ...endedOf(context.attemptState.outcome, true) },
    { type: 'Failed', ...endedOf(context.attemptState.outcome, false) },
  ];
}

/** Whether an attempt has ended, and the next one is yet to come. */
const isBetween = ({ observed, attemptState }: Context): boolean => attemptState.attempt !== observed.attempt;

function runningOf(context: Context, now: number): Saying {
  const { observed, attemptState, stop } = context;
  const { outcome, attempt, nextAttemptAt } = attemptState;
  if (outcome) return lacks(outcome.reason, outcome.message);
  const refused = problemsOf(observed).find(({ stuck }) => stuck);
  if (observed.spec.suspend)
    return refused ? lacks(refused.reason, refused.message) : lacks('Suspended', 'It is suspended.');
  if (isBetween(context) || (!stop.quiet && observed.jobs.size === 0)) {
    return lacks('Stopping', `Attempt ${attempt} starts once no pod of an earlier one is left.`);
  }
  if (isUpAltogether(observed)) {
    const runs = 'All that is needed runs.';
    const told = refused ?? sidecarFindings(observed)[0] ?? closedHosts(observed)[0];
    return told ? holds(told.reason, `${runs} ${told.message}`) : holds('Running', runs);
  }
  const [diagnosis = carriedOver(observed.snapshot, 'Running', queriesOf(observed, now))] = findingsOf(observed, now);
  if (diagnosis?.stuck === true) return lacks(diagnosis.reason, diagnosis.message);
  if (isQueued(observed)) return lacks('Queued', `It waits for its turn in queue ${observed.spec.queue}.`);
  if (observed.jobs.size === 0 && nextAttemptAt !== undefined) {
    return lacks('BackingOff', `Attempt ${attempt} starts at ${nextAttemptAt}.`);
  }
  return diagnosis ? lacks(diagnosis.reason, diagnosis.message) : lacks('Starting', 'Not all ranks run yet.');
}

/** Whether as many ranks run, or have succeeded, as it takes. */
function isUpAltogether(observed: Observed): boolean {
  const up = currentRanks(observed).filter(isUp).length;
  return up >= (observed.spec.elastic ? leastPods(observed.spec) : podCount(observed.spec));
}

function restartingOf({ observed, attemptState }: Context, isRunning: boolean): Saying {
  const last = attemptState.attempts.at(-1);
  const isOver = attemptState.outcome !== undefined || observed.spec.suspend;
  if (isRunning || isOver || !last || last.reason === 'Suspended')
    return lacks('NotRestarting', 'No attempt is to follow.');
  const budget = `${attemptState.failures} of ${observed.spec.retry.limit} retries are used up.`;
  return holds(last.reason, `Attempt ${last.number} is over. ${last.message ?? ''} ${budget}`);
}

const suspendedOf = ({ observed, attemptState, stop }: Context): Saying =>
  suspensionOf({
    wanted: observed.spec.suspend && !attemptState.outcome,
    isStill: stop.quiet && observed.ranks.length === 0,
    before: observed.status.conditions,
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
      ? holds('Suspended', 'No pod runs. Set suspend to false to continue.')
      : holds('Suspending', 'Its pods are being stopped.');
  }
  const was = conditionOf(pause.before, 'Suspended');
  const isResumed = was?.status === 'True' || was?.reason === 'Resumed';
  return isResumed ? lacks('Resumed', 'It was resumed.') : lacks('NotSuspended', 'It is not suspended.');
}

/** What the conditions Complete and Failed say. */
export function endedOf(outcome: Outcome | undefined, complete: boolean): Saying {
  if (outcome?.complete === complete) return holds(outcome.reason, outcome.message);
  return outcome ? lacks(outcome.reason, outcome.message) : lacks('Unfinished', 'It continues.');
}

export const holds = (reason: string, message: string): Saying => ({ status: 'True', reason, message });
export const lacks = (reason: string, message: string): Saying => ({ status: 'False', reason, message });
