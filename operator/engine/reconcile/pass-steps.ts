import { runActions } from './actions.ts';
import { execute, type Execution } from './execute.ts';
import { callKind } from './kind-call.ts';
import type { Resource, Result, Snapshot } from '../api/index.ts';
import type { Pass } from './pass.ts';
import { isDeleting } from './pass-rules.ts';
import { makePlan, type Plan } from '../plan/index.ts';
import { isMadeFor, snapshotFrom } from '../observe/index.ts';

/** What the kind gets to see. */
export function observe<R extends Resource, State>(pass: Pass<R, State>): Snapshot<R> {
  const { key, resource, memory } = pass;
  const { reader, answers, renderCache, tracer } = pass.context;
  return tracer.step('observe', () => {
    const { children, ...around } = reader.around(resource);
    return snapshotFrom({
      resource,
      ...around,
      children: children.map((child) => memory.drift.accept(child)),
      answers: answers.of(key),
      failures: memory.failures,
      desired: (state) => renderCache.of(resource, state as State),
    });
  });
}

/** Calls the kind's reconcile, and has its queries answered from now on. */
export function decide<R extends Resource, State>(
  pass: Pass<R, State>,
  snapshot: Snapshot<R>,
): Result<State, NonNullable<R['status']>> {
  const { kind, answers, clock } = pass.context;
  const result = callKind(pass, 'decide', () => kind.reconcile(snapshot, clock.now()));
  answers.want(pass.key, result.queries ?? [], pass.resource);
  pass.decided = result;
  return result;
}

/** What is to be done to the children. */
export function planFor<R extends Resource, State>(
  pass: Pass<R, State>,
  { children, pods }: Snapshot<R>,
  { state, replace = [] }: Result<State, unknown>,
): Plan {
  const { resource, memory } = pass;
  const desired = callKind(pass, 'render', () => pass.context.renderCache.of(resource, state));
  return pass.context.tracer.step('plan', () => {
    const ownerUid = resource.metadata.uid;
    memory.asWanted.note(desired, children);
    const { types } = pass.context.observer;
    return makePlan({ desired, observed: children, ownerUid, pods, replace, deleting: isDeleting(resource), types });
  });
}

/** Runs the actions that the kind asks for, and carries out the plan. */
export async function act<R extends Resource, State>(
  pass: Pass<R, State>,
  plan: Plan,
  result: Result<State, unknown>,
): Promise<Execution> {
  const { resource, memory, call } = pass;
  const { client, kind, identity, observer, reader, record, tracer } = pass.context;
  const failures = await runActions(result, { client, kind, identity, resource, ...call });
  const execution = await tracer.step('execute', () =>
    execute(plan, {
      client,
      types: kind.childTypes,
      owner: resource,
      observer,
      isLabelled: (object) => isMadeFor(kind, resource, object, identity),
      log: reader,
      drift: memory.drift,
      asWanted: memory.asWanted,
      record: (note) => record(resource, note),
      ...call,
    }),
  );
  pass.writes += execution.writes;
  pass.refreshed = execution.refreshed;
  return { ...execution, failures: [...failures, ...execution.failures] };
}

/** Reports what the pass did. */
export function report<R extends Resource, State>(pass: Pass<R, State>, plan?: Plan): void {
  const { resource, writes, memory } = pass;
  pass.context.report?.({ resource, writes, failures: memory.failures, ...(plan !== undefined && { plan }) });
}
