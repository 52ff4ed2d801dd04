/** How requests come to replicas, and how long these take for them. */
export interface Load {
  readonly perSecond: number;
  /** Seconds to the first token where nothing waits. */
  readonly firstToken: number;
  /** Seconds to the end of an answer. */
  readonly answer: number;
  /** Requests that a replica works on at once. */
  readonly slots: number;
}

interface Request {
  readonly at: number;
  readonly endsAt: number;
}

/** A replica: what it works on, what waits for a slot, and how many first tokens came within each bucket. */
interface Replica {
  running: readonly Request[];
  waiting: readonly number[];
  readonly buckets: number[];
}

/** One pod over time, sample by sample. */
export interface Samples {
  readonly running: readonly number[];
  readonly waiting: readonly number[];
  /** Cumulative, by bucket. */
  readonly buckets: readonly (readonly number[])[];
}

const STEP = 0.05;

/** Numbers between 0 and 1, the same ones each time. */
function numbers(): () => number {
  let state = 20_261_127;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * What each of some replicas publishes under a load: requests come at random times to random replicas, as a Service
 * spreads them, and wait for a slot.
 *
 * @param bounds - of the buckets, in seconds
 * @param samples - how many, one every `every` seconds
 */
export function published(
  { perSecond, firstToken, answer, slots }: Load,
  count: number,
  bounds: readonly number[],
  { samples, every }: { readonly samples: number; readonly every: number },
): readonly Samples[] {
  const next = numbers();
  const replicas: readonly Replica[] = Array.from({ length: count }, () => ({
    running: [],
    waiting: [],
    buckets: bounds.map(() => 0),
  }));
  const out = replicas.map(() => ({
    running: [] as number[],
    waiting: [] as number[],
    buckets: bounds.map((): number[] => []),
  }));
  const steps = Math.round(every / STEP);
  for (let step = 0; step < samples * steps; step += 1) {
    const now = step * STEP;
    // At most one comes in a step; the loads here are far below 1 / STEP a second.
    if (next() < perSecond * STEP) {
      const chosen = replicas[Math.floor(next() * count)];
      if (chosen) chosen.waiting = [...chosen.waiting, now];
    }
    for (const replica of replicas) {
      replica.running = replica.running.filter(({ endsAt }) => endsAt > now);
      while (replica.running.length < slots && replica.waiting[0] !== undefined) {
        const [at = 0, ...rest] = replica.waiting;
        replica.waiting = rest;
        replica.running = [...replica.running, { at, endsAt: now + answer }];
        const seconds = now - at + firstToken;
        bounds.forEach((bound, each) => {
          if (seconds <= bound) replica.buckets[each] = (replica.buckets[each] ?? 0) + 1;
        });
      }
    }
    if (step % steps !== steps - 1) continue;
    replicas.forEach((replica, each) => {
      out[each]?.running.push(replica.running.length);
      out[each]?.waiting.push(replica.waiting.length);
      replica.buckets.forEach((value, bucket) => out[each]?.buckets[bucket]?.push(value));
    });
  }
  return out;
}
