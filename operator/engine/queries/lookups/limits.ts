/** How much may be looked up. */
export interface Limits {
  /** Look-ups under way at a time, in all. */
  readonly total: number;
  /** Of one namespace. So no few namespaces can hold all places. */
  readonly namespace: number;
  /** Of one resource. */
  readonly resource: number;
  /** How many of a namespace begin in a second, in the long run. */
  readonly perSecond: number;
  /** How many of a namespace may begin at once after a rest. */
  readonly burst: number;
  /** An answer of so many bytes counts as one more: what is large takes time, too. */
  readonly bytes: number;
}

/** Is told of bytes of an answer. */
export type Count = (bytes: number) => void;

/** What is looked up in the same place. Each has limits of its own, since what is slow in one must not hold up another. */
export type Lane = 'objects' | 'logs' | 'metrics' | 'asks';

/**
 * The limits of each lane.
 *
 * objects: GETs and lists of the API server, which take it some 5 ms; so 6 at a time are more than 1,000 in a second. An
 * answer may be 10 MiB (LARGEST_OBJECT_BYTES), and is in memory three times while it is parsed: that is why they are few. 50 in a second are three references of each of 1,000 resources, as many as the largest namespace that is measured,
 * once a minute; and 500 at once let a namespace of that many start without a wait of more than 10 s. What
 * is read is 3 MiB in a second in the long run, which takes some 50 ms to parse and hash.
 *
 * logs: one that is large or whose node is slow holds its place for up to a minute; so a namespace gets 2 of 16.
 *
 * metrics: a pod that doesn't answer holds its place for 3 s. At 30 in a second, 60 pods that drain are asked every 2 s,
 * as their kind wants it, and more of them less often; a pod that sends as much as is read takes some 10 ms of time, so
 * that a namespace takes a third of a processor at the most.
 *
 * asks: functions of kinds, which ask whom they like and take up to 30 s; one that hangs holds a place of its namespace.
 */
export const LIMITS: Readonly<Record<Lane, Limits>> = {
  objects: { total: 6, namespace: 3, resource: 2, perSecond: 50, burst: 500, bytes: 2 ** 16 },
  logs: { total: 16, namespace: 2, resource: 1, perSecond: 10, burst: 50, bytes: 2 ** 20 },
  metrics: { total: 32, namespace: 8, resource: 4, perSecond: 30, burst: 100, bytes: 2 ** 18 },
  asks: { total: 32, namespace: 8, resource: 2, perSecond: 20, burst: 100, bytes: 2 ** 18 },
};
