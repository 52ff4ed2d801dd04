import type { CommonStatus, Failure } from '../api/index.ts';
import { AdmissionDrift } from '../plan/index.ts';

/** What is remembered of a resource from pass to pass: all of it can be found out anew. */
export interface Memory {
  readonly uid: string;
  failures: readonly Failure[];
  /** When its status was last written, or, where it has none, something was last made for it. */
  statusAt: number;
  /** The status of one on its way out, where its CRD is too old to take it. */
  unwritten?: CommonStatus;
  readonly drift: AdmissionDrift;
  /** The generation that the two counts below are about. */
  generation: number | undefined;
  /** Whether the pass that is under way has held the main loop for too long. */
  slowNow: boolean;
  /** Passes in a row that held the main loop for too long. */
  slow: number;
  /** Passes in a row that ended because a kind's function failed, or because no status could be written. */
  stalls: number;
}

/** What is known of a resource that no pass has seen. */
export const freshMemory = (uid: string): Memory => ({
  uid,
  failures: [],
  statusAt: -Infinity,
  drift: new AdmissionDrift(),
  generation: undefined,
  slowNow: false,
  slow: 0,
  stalls: 0,
});
