import { ApiError, microTime, pause, TYPES } from '../client/index.ts';
import type { KubeClient, ObjectBody, ObjectRef, KubeObject } from '../client/index.ts';

/** Times of an election, in milliseconds. */
export interface ElectionTiming {
  /** How long others wait after the last renewal that they saw. */
  readonly leaseMs: number;
  /** How long the holder continues after the last renewal that it began. Less than `leaseMs`: the gap is the safety. */
  readonly renewMs: number;
  /** Between two tries. */
  readonly retryMs: number;
}

/** client-go's. */
export const ELECTION_TIMING: ElectionTiming = { leaseMs: 15_000, renewMs: 10_000, retryMs: 2_000 };

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/** A lease as we last saw it change. */
export interface Sighting {
  readonly spec: string;
  readonly holder: string;
  /** When we saw it, by our own clock: the times in the lease are other machines' and are not looked at. */
  readonly at: number;
  readonly durationMs: number;
}

/** Takes note of a lease; the time of the sighting stays where nothing has changed. */
export function sight(before: Sighting | undefined, lease: KubeObject, now: number): Sighting {
  const spec = specOf(lease);
  const text = JSON.stringify(spec);
  if (before?.spec === text) return before;
  const durationMs = (spec.leaseDurationSeconds ?? 0) * 1000;
  return { spec: text, holder: spec.holderIdentity ?? '', at: now, durationMs };
}

/** Duration of a lease that was given up, as client-go writes it. */
const GIVEN_UP_MS = 1_000;

/**
 * When we may write ourselves into the lease. One without a holder was given up only if its duration says so: where a
 * hand has emptied it, its holder doesn't know yet, and has the time to take it back.
 */
export function mayHoldFrom({ holder, at, durationMs }: Sighting, identity: string): number {
  const isFree = holder === identity || (holder === '' && durationMs <= GIVEN_UP_MS);
  return isFree ? at : at + durationMs;
}

/** The lease with us as its holder. */
export function claim(lease: LeaseSpec, identity: string, leaseMs: number, wallClock: number): LeaseSpec {
  const time = microTime(wallClock);
  const ours = lease.holderIdentity === identity;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(leaseMs / 1000),
    acquireTime: ours ? (lease.acquireTime ?? time) : time,
    renewTime: time,
    leaseTransitions: (lease.leaseTransitions ?? 0) + (ours || lease.holderIdentity === undefined ? 0 : 1),
  };
}

export interface ElectorOptions {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'replace'>;
  readonly lease: ObjectRef & { readonly namespace: string };
  readonly identity: string;
  readonly timing: ElectionTiming;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Whether those that we hold the lease for are alive. While they are not, it is neither renewed nor taken. */
  readonly alive: () => boolean;
  /** Until when we lead. 0 where we don't. */
  readonly leadUntil: (until: number) => void;
  readonly changed: (leading: boolean, reason: string) => void;
}

/** Tries to hold a lease, forever. */
export class Elector {
  readonly #options: ElectorOptions;
  readonly #stopping = new AbortController();
  /** Breaks off what is under way: a server that is away keeps nobody from ending. */
  readonly #breakOff = new AbortController();
  #patience: NodeJS.Timeout | undefined;
  #sighting: Sighting | undefined;
  /** The lease as our last write left it: a renewal need not read it first. */
  #held: KubeObject | undefined;
  #leading = false;
  #until = 0;

  constructor(options: ElectorOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { timing } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#try();
      await pause(this.#leading ? timing.retryMs : this.#untilNextTry(), signal);
    }
    clearTimeout(this.#patience);
    await this.#release();
  }

  /** Gives the lease up, so that the next one need not wait; `run` then ends. */
  stop(): void {
    this.#options.leadUntil(0);
    this.#stopping.abort();
    // A renewal that is under way ends first: given up before, the lease would be held by it again.
    this.#patience ??= setTimeout(() => this.#breakOff.abort(), this.#options.timing.retryMs);
  }

  /** Candidates differ, so that they don't all try at the same time; none sleeps past the end of the lease. */
  #untilNextTry(): number {
    const { timing, identity, now } = this.#options;
    const usual = timing.retryMs * (1 - Math.random() / 5);
    const untilFree = this.#sighting === undefined ? Infinity : mayHoldFrom(this.#sighting, identity) - now();
    return untilFree > 0 ? Math.min(usual, untilFree) : usual;
  }

  async #try(): Promise<void> {
    const { alive, now } = this.#options;
    if (this.#leading && now() >= this.#until) this.#lose('the lease was not renewed in time');
    if (!alive()) return;
    const started = now();
    try {
      const held = await this.#hold();
      if (held === undefined) return this.#lose(`the lease is held by ${this.#sighting?.holder ?? 'another'}`);
      this.#held = held;
      this.#sighting = sight(this.#sighting, held, now());
      this.#lead(started + this.#options.timing.renewMs);
    } catch (error) {
      // What the lease is now, only the server knows.
      this.#held = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#leading && now() >= this.#until) this.#lose(`the lease could not be renewed: ${reason}`);
    }
  }

  /** The lease as we wrote it, undefined where it is another's. */
  async #hold(): Promise<KubeObject | undefined> {
    const { client, lease, identity, timing, now } = this.#options;
    const call = { deadlineMs: timing.renewMs / 2, retry: false, signal: this.#breakOff.signal };
    if (this.#held !== undefined) {
      const renewed = await orConflict(client.replace(TYPES.lease, this.#claimed(this.#held), call));
      if (renewed !== undefined) return renewed;
      this.#held = undefined;
    }
    const found = await client.find(TYPES.lease, lease, call);
    if (found !== undefined) this.#sighting = sight(this.#sighting, found, now());
    if (!this.#mayHold()) return undefined;
    if (found !== undefined) return orConflict(client.replace(TYPES.lease, this.#claimed(found), call));
    const spec = claim({}, identity, timing.leaseMs, Date.now());
    return orConflict(client.create(TYPES.lease, { ...HEAD, metadata: { ...lease }, spec }, call));
  }

  /** A lease that was deleted is still its last holder's, for as long as it would have been. */
  #mayHold(): boolean {
    const { identity, now } = this.#options;
    if (this.#sighting === undefined) return true;
    const isOurs = this.#leading && this.#sighting.holder === '';
    return isOurs || now() >= mayHoldFrom(this.#sighting, identity);
  }

  #claimed(lease: KubeObject): ObjectBody {
    const { identity, timing } = this.#options;
    return { ...HEAD, ...lease, spec: claim(specOf(lease), identity, timing.leaseMs, Date.now()) };
  }

  #lead(until: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#until = until;
    this.#options.leadUntil(until);
    if (this.#leading) return;
    this.#leading = true;
    this.#options.changed(true, 'the lease was acquired');
  }

  #lose(reason: string): void {
    if (!this.#leading) return;
    this.#leading = false;
    this.#until = 0;
    this.#options.leadUntil(0);
    this.#options.changed(false, reason);
  }

  async #release(): Promise<void> {
    const { client, timing } = this.#options;
    const held = this.#held;
    this.#lose('the lease was given up');
    if (held === undefined) return;
    const spec: LeaseSpec = { ...specOf(held), holderIdentity: '', leaseDurationSeconds: 1 };
    const body = { ...HEAD, ...held, spec };
    // Where it fails, the lease runs out by itself.
    await client.replace(TYPES.lease, body, { deadlineMs: timing.retryMs, retry: false }).catch(() => undefined);
  }
}

const HEAD = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };

function specOf(lease: KubeObject): LeaseSpec {
  return lease['spec'] ?? {};
}

/** Undefined where another was faster. */
async function orConflict<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return undefined;
    throw error;
  }
}
