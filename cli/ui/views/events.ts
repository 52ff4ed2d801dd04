import type { Resource } from '../../../operator/engine/api/index.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { eventOf } from '../../status/events.ts';
import type { EventLine } from '../api.ts';

/** So many are told. */
const MOST_EVENTS = 100;

/** What was told of a resource and of what it owns, the latest first. */
export function eventsOf(
  resource: Pick<Resource, 'kind' | 'metadata'>,
  objects: readonly KubeObject[],
  events: readonly KubeObject[],
): readonly EventLine[] {
  const about = new Map<string, { readonly kind: string; readonly name: string }>(
    [...objects, resource].map(({ kind, metadata }) => [metadata.uid, { kind: kind ?? '', name: metadata.name }]),
  );
  return events
    .map(eventOf)
    .flatMap(({ about: uid, ...event }) => {
      const object = about.get(uid);
      return object === undefined || Number.isNaN(event.at) ? [] : [{ ...object, ...event }];
    })
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST_EVENTS)
    .map(({ at, ...event }) => ({ ...event, at: new Date(at).toISOString() }));
}
