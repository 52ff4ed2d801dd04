import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { claim, Elector, type ElectorOptions, mayHold, sight } from '../../../operator/kube/election.ts';
import { ApiError, type KubeObject, type ObjectBody } from '../../../operator/kube/index.ts';

const LEASE = { namespace: 'd', name: 'operator' };

function lease(spec: object, version = '1'): KubeObject {
  const metadata = { ...LEASE, uid: 'u', resourceVersion: version, creationTimestamp: '' };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
}

describe('a lease that another holds', () => {
  const theirs = lease({ holderIdentity: 'b', leaseDurationSeconds: 15, renewTime: '2020-01-01T00:00:00.000000Z' });

  test('may be taken once it has not changed for its duration, by our own clock, whatever its times say', () => {
    const seen = sight(undefined, theirs, 1_000);
    expect(mayHold(seen, 'a', 15_999)).toBe(false);
    expect(mayHold(seen, 'a', 16_000)).toBe(true);
    expect(mayHold(sight(seen, theirs, 16_000), 'a', 16_000)).toBe(true);
    const renewed = sight(
      seen,
      lease({ ...(theirs['spec'] as object), renewTime: '2019-01-01T00:00:00.000000Z' }),
      9_000,
    );
    expect(mayHold(renewed, 'a', 16_000)).toBe(false);
  });

  test('may be taken at once when it was given up', () => {
    expect(mayHold(sight(undefined, lease({ holderIdentity: '' }), 0), 'a', 0)).toBe(true);
    expect(mayHold(sight(undefined, lease({}), 0), 'a', 0)).toBe(true);
  });

  test('counts a transition when it is taken, and none when it is renewed', () => {
    const taken = claim({ holderIdentity: 'b', leaseTransitions: 3 }, 'a', 15_000, 0);
    expect(taken).toMatchObject({ holderIdentity: 'a', leaseTransitions: 4, leaseDurationSeconds: 15 });
    expect(taken.renewTime).toBe('1970-01-01T00:00:00.000000Z');
    expect(claim(taken, 'a', 15_000, 5_000)).toMatchObject({ leaseTransitions: 4, acquireTime: taken.acquireTime });
  });
});

/** A server with one lease, and clocks that the test moves. */
function makeWorld() {
  let stored: KubeObject | undefined;
  let version = 0;
  const world = { now: 0, down: false, writes: 0 };
  const write = async (body: ObjectBody): Promise<KubeObject> => {
    if (world.down) throw new Error('no answer');
    const expected = (body.metadata as { resourceVersion?: string }).resourceVersion;
    if (expected !== stored?.metadata.resourceVersion) throw new ApiError(409, {});
    world.writes += 1;
    version += 1;
    stored = lease(body['spec'] as object, `${version}`);
    return stored;
  };
  const client = {
    find: async () => {
      if (world.down) throw new Error('no answer');
      return stored;
    },
    create: async (_type: unknown, body: ObjectBody) => write(body),
    replace: async (_type: unknown, body: ObjectBody) => write(body),
  };
  const candidate = (identity: string, options: Partial<ElectorOptions> = {}) => {
    const state = { until: 0, log: [] as boolean[], isLeader: () => world.now < state.until };
    const elector = new Elector({
      client,
      lease: LEASE,
      identity,
      timing: { leaseMs: 15_000, renewMs: 10_000, retryMs: 2_000 },
      now: () => world.now,
      alive: () => true,
      leadUntil: (until) => (state.until = until),
      changed: (leading) => state.log.push(leading),
      ...options,
    });
    const running = elector.run();
    const stop = async () => {
      elector.stop();
      await running;
    };
    onTestFinished(stop);
    return { ...state, state, stop };
  };
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      world.now += 500;
      await vi.advanceTimersByTimeAsync(500);
    }
  };
  return { world, candidate, pass };
}

describe('an election', () => {
  test('has never two leaders: when the first can no longer renew, it ceases before the second begins', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { candidate, pass } = makeWorld();
    const cut = { down: false };
    const first = candidate('a', { alive: () => !cut.down });
    await pass(2_000);
    const second = candidate('b');
    await pass(30_000);
    expect([first.isLeader(), second.isLeader()]).toEqual([true, false]);
    cut.down = true;
    let ceasedFor = 0;
    for (let time = 0; time < 40; time += 1) {
      await pass(500);
      expect(first.isLeader() && second.isLeader()).toBe(false);
      if (!first.isLeader() && !second.isLeader()) ceasedFor += 500;
    }
    expect(second.isLeader()).toBe(true);
    expect(ceasedFor).toBeGreaterThanOrEqual(4_000);
    expect([first.state.log, second.state.log]).toEqual([[true, false], [true]]);
  });

  test('is lost when the server does not answer, and won again when it does', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { world, candidate, pass } = makeWorld();
    const { state } = candidate('a');
    await pass(4_000);
    world.down = true;
    await pass(8_000);
    expect(state.isLeader()).toBe(true);
    await pass(5_000);
    expect(state.isLeader()).toBe(false);
    world.down = false;
    await pass(5_000);
    expect(state.isLeader()).toBe(true);
    expect(state.log).toEqual([true, false, true]);
  });

  test('is handed over at once when the leader stops, and the leader leads no more from then on', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { candidate, pass } = makeWorld();
    const first = candidate('a');
    await pass(2_000);
    const second = candidate('b');
    await pass(1_000);
    const stopping = first.stop();
    expect(first.isLeader()).toBe(false);
    await stopping;
    await pass(3_000);
    expect(second.isLeader()).toBe(true);
  });

  test('costs one write at a renewal, and no read', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { world, candidate, pass } = makeWorld();
    candidate('a');
    await pass(500);
    const before = world.writes;
    await pass(20_000);
    expect(world.writes - before).toBe(10);
  });
});
