import { plainText } from '../../../constructs/parts/values/index.ts';
import { amendStatus, conditionOf } from './conditions.ts';
import type { CommonStatus, Resource } from './resource.ts';
import { PAUSED, type Identity } from './operator-identity.ts';

type Paused = Pick<Resource, 'metadata' | 'status'>;

/** What a resource's annotation says where it asks to be left alone; undefined where it doesn't. */
export const pauseOf = (
  { metadata }: Pick<Resource, 'metadata'>,
  { pausedAnnotation }: Pick<Identity, 'pausedAnnotation'>,
): string | undefined => metadata.annotations?.[pausedAnnotation];

/**
 * The status of a resource that is left alone: as it was, since nobody looks, with a condition that says so. A resource
 * has one pass at a time, so once this is written no write to its children is on its way.
 *
 * @param now - milliseconds since the epoch
 */
export const pausedStatus = (resource: Paused, identity: Identity, now: number): CommonStatus =>
  amendStatus(
    resource,
    [{ type: PAUSED, status: 'True', reason: PAUSED, message: messageFor(identity, pauseOf(resource, identity)) }],
    now,
  );

/** Whether the operator has said that it leaves the resource alone, since it was last asked to. */
export function isLeftAlone({ metadata, status }: Paused, identity: Identity): boolean {
  const asked = pauseOf({ metadata }, identity);
  return asked !== undefined && conditionOf(status?.conditions, PAUSED)?.message === messageFor(identity, asked);
}

/** Longest part of the annotation that is told, in characters: an annotation may be a quarter of a MiB. */
const LONGEST_ASKED = 512;

const messageFor = ({ pausedAnnotation }: Identity, asked = ''): string =>
  `Nothing is done for it while its annotation ${pausedAnnotation} is there (${plainText(JSON.stringify(asked), { max: LONGEST_ASKED })}).`;
