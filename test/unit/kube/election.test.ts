import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  claim,
  Elector,
  type ElectorOptions,
  mayHoldFrom,
  sight,
} from '../../../operator/kube/leaderelection/election.ts';
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
    expect(mayHoldFrom(seen, 'a')).toBe(16_000);
    expect(mayHoldFrom(sight(seen, theirs, 16_000), 'a')).toBe(16_000);
    const renewed = sight(
      seen,
      lease({ ...(theirs['spec'] as object), renewTime: '2019-01-01T00:00:00.000000Z' }),
      9_000,
    );
    expect(mayHoldFrom(renewed, 'a')).toBe(24_000);
  });

  test('may be taken at once when it was given up', () => {
    expect(mayHoldFrom(sight(undefined, lease({ holderIdentity: '', leaseDurationSeconds: 1 }), 0), 'a')).toBe(0);
    expect(mayHoldFrom(sight(undefined, lease({}), 0), 'a')).toBe(0);
  });

  test('may be taken only after its duration when a hand has emptied it', () => {
    expect(mayHoldFrom(sight(undefined, lease({ holderIdentity: '', leaseDurationSeconds: 15 }), 0), 'a')).toBe(15_000);
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
  /** What a hand does to the lease; undefined deletes it. */
  const edit = (spec: object | undefined) => {
    version += 1;
    stored = spec === undefined ? undefined : lease({ ...(stored?.['spec'] as object), ...spec }, `${version}`);
  };
  const candidate = (identity: string, options: Partial<ElectorOptions> = {}) => {
    const state = { until: 0, log: [] as boolean[], isLeader: () => world.now < state.until };
    const life = { isDead: false };
    const never = <T>(call: () => Promise<T>) => (life.isDead ? new Promise<T>(() => undefined) : call());
    const elector = new Elector({
      client: {
        find: () => never(client.find),
        create: (type, body) => never(() => client.create(type, body)),
        replace: (type, body) => never(() => client.replace(type, body)),
      },
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
    onTestFinished(() => (life.isDead ? undefined : stop()));
    const die = () => {
      life.isDead = true;
    };
    return { ...state, state, stop, die };
  };
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      world.now += 500;
      await vi.advanceTimersByTimeAsync(500);
    }
  };
  return { world, candidate, pass, edit };
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

  test('is not held up by a server that is away: a renewal under way is broken off when the leader stops', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { candidate, pass } = makeWorld();
    let renewals = 0;
    const away = (_type: unknown, _body: unknown, options?: { signal?: AbortSignal }) =>
      new Promise<KubeObject>((_, reject) => {
        renewals += 1;
        options?.signal?.addEventListener('abort', () => reject(new Error('broken off')), { once: true });
      });
    const create = async (_type: unknown, body: ObjectBody) => lease(body['spec'] as object);
    const leader = candidate('a', { client: { find: async () => undefined, create, replace: away } });
    await pass(3_000);
    expect([leader.isLeader(), renewals]).toEqual([true, 1]);
    let ended = false;
    void leader.stop().then(() => (ended = true));
    await pass(1_500);
    expect(ended).toBe(false);
    await pass(1_000);
    expect({ ended, renewals }).toEqual({ ended: true, renewals: 1 });
  });

  test('is decided no later than lease and retry after the last renewal', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    for (let round = 0; round < 20; round += 1) {
      const { candidate, pass } = makeWorld();
      const first = candidate('a');
      await pass(2_000);
      const second = candidate('b');
      await pass(10_000 + round * 500);
      first.die();
      await pass(17_000);
      expect(second.isLeader()).toBe(true);
      await second.stop();
    }
  });

  test.each([
    ['deleted', undefined],
    ['emptied', { holderIdentity: '' }],
  ])('is kept by its holder when a hand has %s the lease', async (_, spec) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    for (let round = 0; round < 5; round += 1) {
      const { candidate, pass, edit } = makeWorld();
      const first = candidate('a');
      await pass(2_000);
      const second = candidate('b');
      await pass(4_000 + round * 500);
      edit(spec);
      await pass(30_000);
      expect([first.state.log, second.state.log]).toEqual([[true], []]);
      await Promise.all([first.stop(), second.stop()]);
    }
  });

  test('is lost by its holder when a hand has given the lease to another, and nobody leads for its duration', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { candidate, pass, edit } = makeWorld();
    const first = candidate('a');
    await pass(2_000);
    const second = candidate('b');
    await pass(4_000);
    edit({ holderIdentity: 'nobody' });
    await pass(2_000);
    expect(first.isLeader()).toBe(false);
    await pass(12_000);
    expect(second.isLeader()).toBe(false);
    await pass(5_000);
    expect([first.isLeader(), second.isLeader()].filter(Boolean)).toHaveLength(1);
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
