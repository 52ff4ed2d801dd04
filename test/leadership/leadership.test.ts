import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ELECTION_TIMING } from '../../operator/kube/leaderelection/election.ts';
import { type Testbed, openTestbed } from './support/testbed.ts';
import { Pair } from './support/pair.ts';

const { leaseMs, renewMs, retryMs } = ELECTION_TIMING;
/** For a request or two, and for processes that wait for their turn on a busy machine. */
const SLACK_MS = 4_000;
/** From the check of a write to its arrival. */
const DISPATCH_MS = 1_500;
/** From the last renewal: that is when others may have seen the lease last. */
const TAKEOVER_MS = leaseMs + retryMs + SLACK_MS;
/** From the Lease to the first write of a child: a standby has nothing to fetch first. */
const REACTION_MS = 3_000;

let testbed: Testbed;
beforeAll(async () => {
  testbed = await openTestbed();
});
afterAll(() => testbed[Symbol.asyncDispose]());

describe.concurrent('two operators on one Lease', { timeout: 180_000 }, () => {
  it('hand over when the event loop of the leader is stuck: it renews no lease that it does nothing with', async ({
    expect,
  }) => {
    await using pair = await Pair.start(testbed, { BUSY_MS: '30000' });
    pair.leader.operator.signal('SIGUSR2');
    const stuck = Date.now();
    const { lease } = await pair.takenOver(60_000);
    // It is given up on after the time of a renewal; from then on its last lease has to run out.
    expect(lease - stuck).toBeLessThan(renewMs + TAKEOVER_MS);
    await pair.leader.operator.ended;
    expect(pair.writesOutOfTerm).toEqual([]);
  });

  it('work one at a time: when the leader is killed, the other, whose caches are warm, takes over in time', async ({
    expect,
  }) => {
    await using pair = await Pair.start(testbed);
    await sleep(retryMs);
    expect(pair.terms).toHaveLength(1);
    pair.leader.operator.signal('SIGKILL');
    const killed = Date.now();
    const { lease, work } = await pair.takenOver();
    expect(lease - killed).toBeLessThan(TAKEOVER_MS);
    expect(work - lease).toBeLessThan(REACTION_MS);
    expect(pair.writesOutOfTerm).toEqual([]);
  });

  it('hand over when the leader was frozen for longer than the lease; what it wakes up to, it does not do', async ({
    expect,
  }) => {
    await using pair = await Pair.start(testbed);
    pair.leader.operator.signal('SIGSTOP');
    await sleep(20_000);
    pair.leader.operator.signal('SIGCONT');
    const woken = Date.now();
    const { at, code } = await pair.leader.operator.ended;
    expect(code).toBe(1);
    expect(at - woken).toBeLessThan(5_000);
    await pair.takenOver();
    await sleep(retryMs);
    expect(pair.terms.map(({ by }) => by)).toEqual([pair.leader.credential, pair.standby.credential]);
    expect(pair.writesOutOfTerm).toEqual([]);
  });

  it('hand over when the leader is cut off; it ends before the other begins, and stays away when it is back', async ({
    expect,
  }) => {
    await using pair = await Pair.start(testbed);
    pair.leader.proxy.cut();
    const cut = Date.now();
    const { at, code } = await pair.leader.operator.ended;
    expect(code).toBe(1);
    expect(at - cut).toBeLessThan(leaseMs);
    pair.leader.proxy.mend();
    const { lease, work } = await pair.takenOver();
    expect(lease - cut).toBeLessThan(TAKEOVER_MS);
    expect(work - lease).toBeLessThan(REACTION_MS);
    expect(pair.writesOutOfTerm).toEqual([]);
  });

  it('hand over when only the renewals of the leader get lost: it stops to write though it could', async ({
    expect,
  }) => {
    await using pair = await Pair.start(testbed);
    pair.leader.proxy.rules.add({ on: { resource: 'leases' }, fault: { do: 'stall', at: 'before' }, times: Infinity });
    await pair.leader.operator.ended;
    const { lease } = await pair.takenOver();
    const last = pair.lastActOf(pair.leader);
    const renewed = pair.lastRenewalOf(pair.leader)?.received ?? 0;
    // By its own clock, whatever has happen to the try to renew that is under way.
    expect((last?.received ?? Infinity) - renewed).toBeLessThan(renewMs + DISPATCH_MS);
    expect(last?.answered).toBeLessThan(lease);
    expect(pair.writesOutOfTerm).toEqual([]);
  });

  it('stay as they are while the event loop of the leader is busy for less than the lease', async ({ expect }) => {
    await using pair = await Pair.start(testbed, { BUSY_MS: '8000' });
    const before = Date.now();
    pair.leader.operator.signal('SIGUSR2');
    await sleep(8_000 + TAKEOVER_MS / 2);
    const renewals = pair.acts.filter(
      ({ resource, received }) => resource === 'leases' && received > before && received < before + 8_000,
    );
    expect(renewals.length).toBeGreaterThanOrEqual(3);
    expect(pair.terms).toHaveLength(1);
    expect(pair.lastActOf(pair.leader)?.received).toBeGreaterThan(before + 8_000);
  });

  it('hand over at once when the leader is asked to stop', async ({ expect }) => {
    await using pair = await Pair.start(testbed);
    pair.leader.operator.signal('SIGTERM');
    const asked = Date.now();
    const { code } = await pair.leader.operator.ended;
    expect(code).toBe(0);
    const { lease } = await pair.takenOver();
    expect(lease - asked).toBeLessThan(retryMs + 2 * SLACK_MS);
    expect(pair.writesOutOfTerm).toEqual([]);
  });

  it('stay as they are when a hand deletes the Lease or empties it, and never lead both', async ({ expect }) => {
    await using pair = await Pair.start(testbed);
    await pair.deleteLease();
    await sleep(3 * retryMs);
    expect((await pair.lease())['spec']).toMatchObject({ holderIdentity: expect.stringMatching(/./) });
    await pair.editLease({ holderIdentity: '' });
    await sleep(3 * retryMs);
    expect(pair.terms).toHaveLength(1);
    expect(pair.writesOutOfTerm).toEqual([]);
  });

  it('hand over when a hand gives the Lease to somebody who is not there', async ({ expect }) => {
    await using pair = await Pair.start(testbed);
    await pair.editLease({ holderIdentity: 'nobody' });
    const edited = Date.now();
    await pair.leader.operator.ended;
    const { lease } = await pair.takenOver();
    expect(lease - edited).toBeGreaterThan(leaseMs - SLACK_MS);
    expect(lease - edited).toBeLessThan(TAKEOVER_MS);
    expect(pair.writesOutOfTerm).toEqual([]);
  });
});
