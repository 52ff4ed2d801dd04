import type { Refusal } from '../../constructs/schema/error.ts';
import type { BareStatus, Kind, Result, Snapshot } from '../../operator/engine/api/kind.ts';
import type { Resource } from '../../operator/engine/api/resource.ts';
import type { Query } from '../../operator/engine/api/queries.ts';
import { refusedStatus, unstamped } from '../../operator/engine/api/refused.ts';
import { finishStatus } from '../../operator/engine/reconcile/status.ts';

/** What reconcile decides, with the status as the engine writes it. */
export type Decided<State, Status> = Omit<Result<State, Status>, keyof BareStatus<Status> | 'queries'> & {
  readonly status: Status;
  readonly queries: readonly Query[];
};

type StatusOf<R extends Resource> = NonNullable<R['status']>;
type Deciding<R extends Resource, State> = Pick<Kind<R, State>, 'reconcile' | 'updatedField'>;

/** Reconciles as the engine does. */
export function decided<R extends Resource, State>(
  { reconcile, updatedField }: Deciding<R, State>,
  snapshot: Snapshot<R>,
  now: number,
): Decided<State, StatusOf<R>> {
  const { status, conditions, queries = [], ...rest } = reconcile(snapshot, now);
  return {
    ...rest,
    queries,
    status: finishStatus<StatusOf<R>>(snapshot.resource, { status, conditions }, now, updatedField),
  };
}

interface Refused<R extends Resource> {
  readonly now: number;
  /** What reconcile decided before. */
  readonly seen?: StatusOf<R>;
  readonly refusal?: Refusal;
}

/** Refuses as the engine does, and gives the status as it writes it. */
export const refused = <R extends Resource, State>(
  kind: Pick<Kind<R, State>, 'refuse' | 'updatedField'>,
  resource: R,
  message: string,
  { now, seen, refusal = 'InvalidSpec' }: Refused<R>,
): StatusOf<R> => {
  const bare = seen && { status: unstamped(seen), conditions: seen.conditions ?? [] };
  return finishStatus<StatusOf<R>>(
    resource,
    refusedStatus(kind, resource, { message, refusal }, bare),
    now,
    kind.updatedField,
  );
};
