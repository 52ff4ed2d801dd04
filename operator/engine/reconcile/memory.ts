import type { CommonStatus, Failure, Resource } from '../api/index.ts';
import { AdmissionDrift } from '../plan/index.ts';
import { AsWanted } from './as-wanted.ts';

/** What is remembered of a resource from pass to pass: all of it can be found out again. */
export interface Memory {
  readonly uid: string;
  /** Of the last pass that carried out a plan. */
  failures: readonly Failure[];
  /** When its status was last written, or, where it has none, something was last made for it. */
  statusAt: number;
  /** The status of one that is being deleted, where the API server does not take it. */
  unwritten?: CommonStatus;
  readonly drift: AdmissionDrift;
  readonly asWanted: AsWanted;
  /** The generation that the two counts below are about. */
  generation: number | undefined;
  /** Passes in a row that held the main loop for too long. */
  slow: number;
  /** Passes in a row that ended because a kind's function failed, or because no status could be written. */
  stalls: number;
}

/** The memories of all resources of a kind, by key. */
export class Memories {
  readonly #known = new Map<string, Memory>();

  /** What is remembered of a resource. Its counts are about what the user last wrote. */
  of(key: string, { metadata: { uid, generation } }: Pick<Resource, 'metadata'>): Memory {
    const known = this.#known.get(key);
    const memory = known?.uid === uid ? known : newMemory(uid);
    this.#known.set(key, memory);
    if (memory.generation === generation) return memory;
    return Object.assign(memory, { generation, slow: 0, stalls: 0 });
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

const newMemory = (uid: string): Memory => ({
  uid,
  failures: [],
  statusAt: -Infinity,
  drift: new AdmissionDrift(),
  asWanted: new AsWanted(),
  generation: undefined,
  slow: 0,
  stalls: 0,
});
