import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Names the volume and the fetch of a model: the first 10 hexadecimal digits of the SHA-256 of the URI as written.
 * What the URI resolves to (a branch's present commit) has no part in it, so that a name never depends on time.
 */
export const weightsKey = (uri: string): string => shortHash(uri);

/** The annotation of Jobs that fetch, and of pods that serve, with the key of their weights. */
export const WEIGHTS_ANNOTATION = 'trunnion.dev/weights';

/** The first 10 hexadecimal digits of the SHA-256 of a text: 40 bits, enough to tell a workload's own objects apart. */
export const shortHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text))).slice(0, 10);

/** {@link shortHash} of plain JSON, whatever the order of its keys: hosts hand over one spec in different orders. */
export const shortHashOf = (value: unknown): string => shortHash(JSON.stringify(value, sortedKeys));

const sortedKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))))
    : value;
