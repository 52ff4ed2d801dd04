import { because } from '../../operator/kinds/shared/diagnosis-text.ts';
import type { KubeObject } from '../../operator/kube/index.ts';

/** An event, as far as it is told. */
export interface EventSeen {
  /** UID of the object that it is about. */
  readonly about: string;
  readonly warning: boolean;
  readonly reason: string;
  readonly message: string;
  /** How often it was told. */
  readonly count: number;
  /** When it was last told, in milliseconds since the epoch. */
  readonly at: number;
}

/** An event over the wire, where times are text. Which of its times and counts are there depends on who wrote it. */
interface WireEvent {
  readonly involvedObject?: { readonly uid?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
}

/** Reads an event. */
export function eventOf(object: KubeObject): EventSeen {
  const {
    involvedObject,
    type,
    reason = '',
    message = '',
    count,
    series,
    lastTimestamp,
    eventTime,
  } = object as KubeObject & WireEvent;
  const at = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? object.metadata.creationTimestamp;
  return {
    about: involvedObject?.uid ?? '',
    warning: type === 'Warning',
    reason,
    message,
    count: series?.count ?? count ?? 1,
    at: Date.parse(at),
  };
}

/** How many are told of one object. */
const MOST_REPORTED = 2;

/** The latest events about an object, the latest first, one for each reason. */
export function latest(events: readonly EventSeen[], uid: string): readonly EventSeen[] {
  const reported = new Map<string, EventSeen>();
  for (const event of events.filter(({ about }) => about === uid).toSorted((a, b) => b.at - a.at)) {
    if (!reported.has(event.reason)) reported.set(event.reason, event);
  }
  return [...reported.values()].slice(0, MOST_REPORTED);
}

/** An event as a sentence: `FailedMount, 12 times: the volume …`. */
export const inWords = ({ reason, count, message }: EventSeen): string =>
  `${reason}${count > 1 ? `, ${count} times` : ''}${because(message)}`;
