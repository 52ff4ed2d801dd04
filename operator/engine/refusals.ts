import type { KubeClient } from '../kube/client.ts';
import { EVENTS } from '../kube/events.ts';
import type { KubeObject } from '../kube/types.ts';

/** What is read of an event, in either of the forms that Kubernetes has had. */
interface EventObject extends KubeObject {
  readonly note?: string;
  readonly eventTime?: string | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly series?: { readonly lastObservedTime?: string };
}

/** Events of one object that are looked at; its controller joins those that say the same. */
const MOST_EVENTS = 50;

/**
 * Why a controller could not make a pod, the last time that it said so. Of a Job only an event tells it, and not its status.
 *
 * @param uid - of the controller's object
 * @returns undefined where there is no such event: they are kept for an hour
 */
export async function lastRefusal(
  client: Pick<KubeClient, 'list'>,
  { namespace, uid }: { readonly namespace: string; readonly uid: string },
): Promise<string | undefined> {
  const fieldSelector = `regarding.uid=${uid},reason=FailedCreate,type=Warning`;
  const { items } = await client.list(EVENTS, { namespace, fieldSelector, limit: MOST_EVENTS });
  const told = (items as readonly EventObject[]).flatMap((event) =>
    typeof event.note === 'string' ? [{ note: event.note, at: timeOf(event) }] : [],
  );
  return told.toSorted((a, b) => b.at - a.at)[0]?.note;
}

const timeOf = ({ metadata, series, eventTime, deprecatedLastTimestamp }: EventObject): number =>
  Date.parse(series?.lastObservedTime ?? deprecatedLastTimestamp ?? eventTime ?? metadata.creationTimestamp) || 0;
