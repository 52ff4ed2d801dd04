import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ConnectionSettings } from '../client/index.ts';
import { ELECTION_TIMING, type ElectionTiming } from './election.ts';
import { clock, type LeaseThread, SharedState } from './lease-state.ts';

export interface LeaderElectionOptions {
  readonly connection: ConnectionSettings;
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Differs from process to process: a pod's name with something random. */
  readonly identity: string;
  /** Called each time that we begin, or cease, to lead. */
  readonly changed: (leading: boolean, reason: string) => void;
  /** @default - 15 s, 10 s and 2 s, as in client-go */
  readonly timing?: ElectionTiming;
  /** @default 'trunnion' */
  readonly userAgent?: string;
}

/** A write was refused because we don't lead (any more). */
export class NotLeaderError extends Error {
  override readonly name = 'NotLeaderError';
}

/** How often the main thread shows that it is alive. */
const HEARTBEAT_MS = 500;

/**
 * Leads while it holds a Lease. A Lease is no fence: a write that was sent in time may arrive late. So `gate` is asked
 * before each write, the holder stops 5 s before others take over, and writes carry a UID or version where losing
 * matters.
 */
export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #memory = new SharedArrayBuffer(SharedState.BYTES);
  readonly #state = new SharedState(this.#memory);
  #heartbeat: NodeJS.Timeout | undefined;
  #restart: NodeJS.Timeout | undefined;
  #worker: Worker | undefined;
  #stopped = false;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#heartbeat !== undefined || this.#stopped) return;
    const beat = () => (this.#state.aliveAt = clock());
    beat();
    this.#heartbeat = setInterval(beat, HEARTBEAT_MS).unref();
    this.#spawn();
  }

  /** Whether we lead at this moment. It costs nothing, and needs no event loop to have turned. */
  isLeader(): boolean {
    return !this.#stopped && clock() < this.#state.leadUntil;
  }

  /**
   * For a client's `gate`.
   *
   * @throws NotLeaderError where we don't lead
   */
  readonly gate = (method: string, path: string): void => {
    if (!this.isLeader()) throw new NotLeaderError(`not the leader: ${method} ${path} was not sent`);
  };

  /** Gives the lease up. From its call on, `isLeader` says no. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('stop');
    await ended;
  }

  #spawn(): void {
    const { connection, lease, identity, changed, timing = ELECTION_TIMING, userAgent = 'trunnion' } = this.#options;
    const workerData: LeaseThread = { connection, lease, identity, timing, userAgent, memory: this.#memory };
    const file = new URL(`./lease-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(file, { workerData, name: 'lease' });
    this.#worker = worker;
    let leading = false;
    let failure = 'the thread that renews the lease ended';
    worker.on('message', (message: { readonly leading: boolean; readonly reason: string }) => {
      leading = message.leading;
      changed(leading, message.reason);
    });
    worker.on('error', (error) => (failure = `${failure}: ${error instanceof Error ? error.message : String(error)}`));
    worker.once('exit', () => {
      this.#worker = undefined;
      this.#state.leadUntil = 0;
      if (leading) changed(false, failure);
      if (!this.#stopped) this.#restart = setTimeout(() => this.#spawn(), timing.retryMs);
    });
  }
}
