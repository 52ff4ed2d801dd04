import { plainText } from '../../../constructs/parts/values/index.ts';
import { TYPES } from '../../kube/index.ts';
import type { KubeClient, KubeObject } from '../../kube/index.ts';
import type { ObjectEvent, Resource } from '../api/index.ts';
import type { Count } from './lookups/limits.ts';

/** Most events of one object that are read, and most that are kept of them. */
const MOST_READ = 200;
const MOST_KEPT = 10;
/** Largest answer, in bytes: so many events with messages as long as the API takes. */
const LARGEST_BYTES = 2 ** 20;
/** Longest text that is kept of one, in characters. */
const LONGEST = 1_024;

/** An event over the wire. Which of its times are there depends on who wrote it. */
interface WireEvent extends KubeObject {
  readonly reason?: string;
  readonly message?: string;
  readonly series?: { readonly lastObservedTime?: string };
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
}

interface Reading {
  readonly client: Pick<KubeClient, 'list'>;
  readonly signal: AbortSignal;
  readonly count: Count;
}

/** What was told of an object of the resource's namespace, of what differs in numbers alone the latest: see {@link ObjectEvent}. */
export async function eventsOf(
  { kind, name, uid }: { readonly kind: string; readonly name: string; readonly uid: string },
  { metadata }: Resource,
  { client, signal, count }: Reading,
): Promise<readonly ObjectEvent[]> {
  const fieldSelector = `involvedObject.kind=${kind},involvedObject.name=${name},involvedObject.uid=${uid}`;
  const namespace = metadata.namespace ?? '';
  const { items } = await client.list(TYPES.coreEvent, {
    namespace,
    fieldSelector,
    limit: MOST_READ,
    largestBytes: LARGEST_BYTES,
    signal,
  });
  count(items.reduce((bytes, item) => bytes + text((item as WireEvent).message).length, 0));
  return eventsIn(items);
}

/** What events of one object say, the latest last; of those that differ in numbers alone, the latest. */
export function eventsIn(items: readonly KubeObject[]): readonly ObjectEvent[] {
  const events = items.map((item) => eventOf(item as WireEvent));
  const latest = new Map<string, ObjectEvent>();
  for (const event of events.toSorted((a, b) => a.at - b.at)) {
    // The scheduler says the same with other numbers each time: that must not push out what others have said.
    const key = `${event.reason}\n${event.message.replaceAll(/\d+/g, '0')}`;
    latest.delete(key);
    latest.set(key, event);
  }
  return [...latest.values()].slice(-MOST_KEPT);
}

function eventOf({ metadata, reason, message, series, lastTimestamp, eventTime }: WireEvent): ObjectEvent {
  const at = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
  return { reason: text(reason), message: text(message), at: Date.parse(at) };
}

const text = (value: unknown): string =>
  typeof value === 'string' ? plainText(value, { lines: true, max: LONGEST }) : '';
