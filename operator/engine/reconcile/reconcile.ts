/** The reconcile of a resource, from top to bottom. */
import { conflictError } from '../cache/index.ts';
import type { Resource } from '../api/index.ts';
import { hasChanged, newPass, type Pass } from './pass.ts';
import type { PassContext } from './pass-options.ts';
import * as rules from './pass-rules.ts';
import { act, decide, observe, planFor, report } from './pass-steps.ts';
import { pauseOf } from '../api/index.ts';
import type { Outcome } from '../queue/index.ts';
import { faultOf } from './reconcile-errors.ts';
import * as writes from './resource-writes.ts';

/**
 * One pass over one resource. Every write is followed by another pass, until one writes nothing.
 *
 * @param key - as `keyOf` makes it
 * @throws where the pass was aborted, the right to write is gone, or the kind itself failed: that is reported on the
 * resource first
 */
export async function reconcile<R extends Resource, State>(
  key: string,
  context: PassContext<R, State>,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { kind, identity, reader, watchdog, clock } = context;
  const resource = reader.resource(key);
  const heldUntil = watchdog.heldUntil(resource?.metadata.namespace ?? '');
  const gate = rules.gateOf(resource, { finalizer: kind.finalizer, identity, heldUntil });
  if (gate === 'gone' || resource === undefined) return forget(key, context);
  if (gate === 'set-aside') return {};
  if (gate === 'held') return { requeueAt: heldUntil, postponed: true };

  const pass = newPass(key, resource, context, signal);
  const ending = await runPass(pass)
    .catch((error: unknown) => recover(pass, faultOf(error)))
    .then(
      (outcome): rules.Ending => ({ outcome }),
      (error: unknown) => rules.endingOf(error, clock.now()),
    );

  const { memory } = pass;
  memory.slow = pass.slow ? memory.slow + 1 : 0;
  memory.stalls = rules.stallsAfter(ending, memory.stalls);
  if (pass.released) forget(key, context);
  const stall = rules.stallAfter(ending, resource, memory, identity);
  if (stall !== undefined) await writes.reportStall(pass, stall);
  if ('error' in ending) throw ending.error;
  return stall === undefined ? ending.outcome : {};
}

/** Observe, decide, plan, act, write the status, and say when the next pass is due. */
async function runPass<R extends Resource, State>(pass: Pass<R, State>): Promise<Outcome> {
  const { memory, context } = pass;
  if (pauseOf(pass.resource, context.identity) !== undefined) {
    await writes.pause(pass);
    return done(pass);
  }
  const older = context.reader.conflictOf(pass.resource);
  if (older !== undefined) throw conflictError(pass.resource, older);

  const snapshot = observe(pass);
  const result = decide(pass, snapshot);
  if (rules.isAwaitingAnswers(result, pass.resource)) return done(pass, result.requeueAt);
  const plan = planFor(pass, snapshot, result);
  if (rules.isReleasable(result, plan, pass.resource)) {
    await writes.release(pass);
    return done(pass);
  }

  if (!rules.isDeleting(pass.resource)) await writes.addFinalizer(pass);
  if (rules.isStatusFirst(result, plan)) await writes.writeStatus(pass, result);
  if (rules.isExpired(result, pass.resource)) {
    await writes.expire(pass);
    return done(pass);
  }
  if (plan.steps.length > 0) await writes.ensureFresh(pass);
  const execution = await act(pass, plan, result);

  const hasFailed = execution.failures.length > 0;
  const isFirst = rules.isFirstWrite(pass.resource, execution.writes);
  if (isFirst) memory.statusAt = context.clock.now();
  const mustDecideAgain = rules.mustDecideAgain(hasChanged(pass), execution.failures, memory.failures);
  memory.failures = execution.failures;
  const last = mustDecideAgain ? decide(pass, observe(pass)) : result;
  const statusDueAt = await writes.writeStatusWhenDue(pass, last, hasFailed);

  report(pass, plan);
  return rules.outcomeOf({
    requeueAt: last.requeueAt,
    statusDueAt,
    isFirst,
    isWaiting: plan.waiting.length > 0,
    hasChanged: hasChanged(pass),
    hasFailed,
    stale: execution.stale,
    unreached: execution.unreached,
    now: context.clock.now(),
  });
}

/** What a pass does about the error that ended it. */
async function recover<R extends Resource, State>(pass: Pass<R, State>, error: unknown): Promise<Outcome> {
  const recovery = rules.recoveryFrom(error, pass.resource, pass.memory);
  switch (recovery.do) {
    case 'refuse':
      return done(pass, await writes.refuse(pass, recovery.error));
    case 'release':
      await writes.release(pass);
      return done(pass);
    case 'fail':
      if (recovery.note !== undefined) pass.context.record(pass.resource, recovery.note);
      throw error;
  }
}

/** Nothing is left to do until something changes, or at a time. */
function done<R extends Resource, State>(pass: Pass<R, State>, requeueAt?: number): Outcome {
  report(pass);
  return requeueAt === undefined ? {} : { requeueAt };
}

/** Forgets a resource that is gone. */
function forget<R extends Resource, State>(key: string, { answers, memories }: PassContext<R, State>): Outcome {
  answers.forget(key);
  memories.forget(key);
  return {};
}
