import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { adminClient } from '../support/client.ts';
import { expectEnd, leadEightRanks, ownNodes, watchOverlaps } from '../support/eight-ranks.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

describe('a DistributedTraining of 8 ranks', () => {
  it('ends Completed though rank 5 fails twice, a node is lost and a pod is preempted, charged exactly twice', async () => {
    const namespace = await testNamespace(admin);
    const nodes = await ownNodes(admin);
    onTestFinished(() => nodes.remove());
    const overlaps = watchOverlaps(admin, namespace);
    onTestFinished(() => overlaps.stop());
    const operator = await startOperator(admin, namespace);
    const status = await leadEightRanks({
      admin,
      namespace,
      nodes,
      patience: 90_000,
      // Anyone who takes over knows what was charged.
      interlude: async () => {
        await operator.stop();
        await startOperator(admin, namespace);
      },
    });
    expectEnd(status, nodes);
    expect(overlaps.seen).toEqual([]);
  }, 240_000);
});
