import { sha256 } from '@noble/hashes/sha2.js';
import { companionsOf } from './companions.ts';
import type { AccompaniedModel } from './companions.ts';
import { selectionOf } from './selection.ts';
import type { SelectedModel } from './selection.ts';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** What of a spec's model says what lies on its volume. */
export interface FetchedModel extends SelectedModel, AccompaniedModel {}

/**
 * What lies on a model's volume, in one text: the URI as written, and which files of it and what beside it, where there is
 * such. What the URI resolves to (a branch's present commit) has no part in it, so that a name never depends on time.
 */
export function weightsOf(model: FetchedModel): string {
  const more = { ...selectionOf(model), ...companionsOf(model) };
  return Object.keys(more).length === 0 ? model.uri : `${model.uri} ${JSON.stringify(more)}`;
}

/** Names the volume and the fetch of a model: the first 10 hexadecimal digits of the SHA-256 of {@link weightsOf}. */
export const weightsKey = (model: FetchedModel): string => shortHash(weightsOf(model));

/** Whether two models lie on one volume. */
export const isSameModel = (one: FetchedModel, other: FetchedModel): boolean => weightsOf(one) === weightsOf(other);

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
