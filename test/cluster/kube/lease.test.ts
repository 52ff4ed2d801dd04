import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LeaderElection } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';

describe('the lease', () => {
  const TIMING = { leaseMs: 3_000, renewMs: 2_000, retryMs: 200 };

  function candidate(namespace: string, identity: string, log: string[]) {
    const { url, ca, token } = cluster();
    const connection = { url, ca, authorization: `Bearer ${token}`, namespace };
    const election = new LeaderElection({
      connection: { from: 'fixed', connection },
      lease: { namespace, name: 'operator' },
      identity,
      timing: TIMING,
      changed: (leading) => log.push(`${identity} ${leading ? 'leads' : 'ceases'}`),
    });
    onTestFinished(() => election.stop());
    election.start();
    return election;
  }

  test('has one holder at a time, who hands it over at once when it stops', async () => {
    const namespace = await testNamespace(adminClient());
    const log: string[] = [];
    const first = candidate(namespace, 'a', log);
    await eventually(() => expect(first.isLeader()).toBe(true));
    const second = candidate(namespace, 'b', log);
    await sleep(4_000);
    expect([first.isLeader(), second.isLeader()]).toEqual([true, false]);
    expect(() => second.gate('PATCH', '/x')).toThrow('not the leader');

    const stopped = performance.now();
    const stopping = first.stop();
    expect(first.isLeader()).toBe(false);
    await stopping;
    await eventually(() => expect(second.isLeader()).toBe(true));
    expect(performance.now() - stopped).toBeLessThan(TIMING.leaseMs);
    // That it leads is known at once; it is told by a message from the thread that keeps the lease.
    await eventually(() => expect(log).toEqual(['a leads', 'a ceases', 'b leads']));
    const lease = await adminClient().get(TYPES.lease, { namespace, name: 'operator' });
    expect(lease).toMatchObject({ spec: { holderIdentity: 'b' } });
  });

  test('outlasts a busy event loop, and is lost by one that is stuck', async () => {
    const namespace = await testNamespace(adminClient());
    const log: string[] = [];
    const election = candidate(namespace, 'a', log);
    await eventually(() => expect(election.isLeader()).toBe(true));
    block(TIMING.renewMs * 0.6);
    expect(election.isLeader()).toBe(true);
    block(TIMING.renewMs * 2.2);
    expect(election.isLeader()).toBe(false);
    await eventually(() => expect(log.slice(0, 3)).toEqual(['a leads', 'a ceases', 'a leads']));
  });

  function block(ms: number): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  }
});
