import { plainText } from '../../../constructs/parts/values/index.ts';
import { amendStatus, conditionOf, STALLED } from '../api/index.ts';
import type { CommonStatus, Condition, Identity, Resource } from '../api/index.ts';

/** Why the operator makes no progress with a resource, as far as the operator itself is concerned. */
export interface Stall {
  readonly reason: StallReason;
  /** What has happened, and what to do. */
  readonly message: string;
}

/** Every reason of the condition {@link STALLED}. */
export type StallReason = 'ReconcileError' | 'SetAside' | 'StatusTooLarge' | 'StatusRefused';

/** Longest words of others in a message, in characters: the status of a stalled resource must be small. */
const LONGEST_QUOTE = 300;

/** After so many slow reconciles in a row a resource is set aside. */
export const MOST_SLOW = 3;

/** Words of others, cut to what a small status has room for. */
export const quoted = (text: string): string => plainText(text, { max: LONGEST_QUOTE });

/**
 * The status of a resource that the operator can't decide about, or can't write all about: as it was, with the condition
 * Stalled, which kstatus and its users know. Whether it is ready, nobody knows then.
 *
 * @param now - milliseconds since the epoch
 */
export function stalledStatus(resource: Resource, { reason, message }: Stall, now: number): CommonStatus {
  const before = resource.status?.conditions ?? [];
  const isAboutReadiness = before.length === 0 || conditionOf(before, 'Ready') !== undefined;
  const stalled = { type: STALLED, status: 'True', reason, message } as const;
  const unready = { type: 'Ready', status: 'Unknown', reason, message: 'See the condition Stalled.' } as const;
  const amended = amendStatus(resource, isAboutReadiness ? [unready, stalled] : [stalled], now);
  return { ...amended, observedGeneration: resource.metadata.generation ?? 0 };
}

/** What a resource is told that held the main loop too often. */
export function setAside(resource: Pick<Resource, 'metadata'>, identity: Identity): Stall {
  const annotate = `kubectl annotate --overwrite … ${identity.requestedAtAnnotation}="$(date +%s)"`;
  return {
    reason: 'SetAside',
    message: `Its last ${MOST_SLOW} reconciles took so long that they held up all other resources, so the operator does nothing for it any more. Make its spec smaller. To have it tried again as it is: ${annotate}. ${lastRequest(resource, identity)}`,
  };
}

/** Whether a resource was set aside, by this process or by one before it, and nothing has changed since. */
export function isSetAside(resource: Pick<Resource, 'metadata' | 'status'>, identity: Identity): boolean {
  const { metadata, status } = resource;
  const stalled: Condition | undefined = conditionOf(status?.conditions, STALLED);
  return (
    stalled?.reason === 'SetAside' &&
    stalled.observedGeneration === metadata.generation &&
    stalled.message.endsWith(lastRequest(resource, identity))
  );
}

/** As a condition holds it, whose words are plain text: else it would never be found there again. */
const lastRequest = ({ metadata }: Pick<Resource, 'metadata'>, { requestedAtAnnotation }: Identity): string =>
  `(Last request: ${JSON.stringify(plainText(metadata.annotations?.[requestedAtAnnotation] ?? '', { max: 64 }))}.)`;
