import type { SpecError } from '../../../constructs/schema/error.ts';
import type { BareStatus, Kind, Unstamped } from './kind.ts';
import type { CommonStatus, Resource } from './resource.ts';

/**
 * The status of a resource whose spec can't work, in the words of its kind where it has some.
 *
 * @param seen - what reconcile decided before the spec was found not to work
 */
export function refusedStatus<R extends Resource>(
  kind: Pick<Kind<R>, 'refuse'>,
  resource: R,
  { message, refusal: reason }: Pick<SpecError, 'message' | 'refusal'>,
  seen: BareStatus<NonNullable<R['status']>> | undefined,
): BareStatus<NonNullable<R['status']>> {
  if (kind.refuse) return kind.refuse(resource, message, seen, reason);
  const refused = { status: 'False', reason, message } as const;
  const isOther = ({ type }: { readonly type: string }) => type !== 'Accepted' && type !== 'Ready';
  return {
    status: unstamped(resource.status),
    conditions: [
      { type: 'Accepted', ...refused },
      ...(resource.status?.conditions?.filter(isOther) ?? []),
      { type: 'Ready', ...refused },
    ],
  };
}

/** A status as a kind reports it, out of one that was written. */
export function unstamped<Status extends CommonStatus>(status: Status | undefined): Unstamped<Status> {
  const { conditions: _, observedGeneration: __, ...rest } = status ?? ({} as Status);
  return rest;
}
