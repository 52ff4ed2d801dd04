import type { CommonStatus, Problem } from './kind.ts';
import { Rewrites } from './rewrites.ts';

/** What is remembered of a resource from pass to pass: all of it can be found out anew. */
export interface Memory {
  readonly uid: string;
  problems: readonly Problem[];
  /** When its status was last written, or, where it has none, something was last made for it. */
  statusAt: number;
  /** The status of one on its way out, where its CRD is too old to take it. */
  unwritten?: CommonStatus;
  readonly rewrites: Rewrites;
}

/** What is known of a resource that no pass has seen. */
export const freshMemory = (uid: string): Memory => ({
  uid,
  problems: [],
  statusAt: -Infinity,
  rewrites: new Rewrites(),
});
