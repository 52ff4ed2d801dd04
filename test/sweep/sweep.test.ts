import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectEnd, leadEightRanks, ownNodes, watchOverlaps } from '../cluster/support/eight-ranks.ts';
import { openTestbed } from '../faults/testbed.ts';
import type { Rule } from '../../testing/faults/proxy/rules.ts';
import { type Testbed, World } from '../../testing/faults/world.ts';

/** How many worlds there are at once: nearly all of their time they wait for pods of a node that is lost. */
const PARALLEL = 6;

/** How long a step may take where each write of it costs a restart, on a busy machine. */
const PATIENCE_MS = 240_000;

/** From one kill to the next, in writes: as many plans as this kill at every write once. */
const STRIDE = 8;

let testbed: Testbed & AsyncDisposable;

beforeAll(async () => {
  testbed = await openTestbed((line) => console.error(line));
});

afterAll(() => testbed[Symbol.asyncDispose]());

/** What it took to lead an operator through all that affects the eight ranks. */
interface Outcome {
  readonly writes: number;
  readonly kills: number;
}

let places = 0;

async function lead(rules: readonly Rule[]): Promise<Outcome> {
  const place = (places = (places + 1) % 50);
  await using world = await World.open({ testbed, namespace: `sweep-${process.pid}-${place}` });
  for (const rule of rules) world.proxy.rules.add(rule);
  const { client: admin } = testbed;
  const { namespace } = world;
  const nodes = await ownNodes(admin, place);
  const overlaps = watchOverlaps(admin, namespace);
  try {
    world.start();
    expectEnd(await leadEightRanks({ admin, namespace, nodes, patience: PATIENCE_MS }), nodes);
    expect(overlaps.seen).toEqual([]);
    return { writes: world.proxy.writes, kills: world.kills };
  } finally {
    await overlaps.stop();
    await nodes.remove();
  }
}

/** Kills after every eighth write, or before its answer, from each of the first eight on. */
const plans = (writes: number): { readonly name: string; readonly rules: readonly Rule[] }[] =>
  Array.from({ length: STRIDE }, (_, offset) =>
    (['answered', 'committed'] as const).map((at) => ({
      name: `killed ${at === 'answered' ? 'after' : 'before the answer to'} every ${STRIDE}th write from write ${offset + 1}`,
      rules: Array.from({ length: Math.ceil(writes / STRIDE) }, (_each, round): Rule => ({
        on: { write: true },
        skip: offset + round * STRIDE,
        fault: { do: 'kill', at },
      })),
    })),
  ).flat();

describe('a DistributedTraining of 8 ranks that fail, are lost and preempted comes to the same end', () => {
  it('where the operator is killed after every write', async () => {
    const always: Rule = { on: { write: true }, times: Infinity, fault: { do: 'kill', at: 'answered' } };
    const { writes, kills } = await lead([always]);
    console.error(`killed ${kills} times in ${writes} writes`);
    expect(kills).toBeGreaterThan(20);
  }, 1_800_000);

  it('where it is killed now and then, so that each write is followed by a kill once, and goes unanswered once', async () => {
    const { writes } = await lead([]);
    const left = plans(writes);
    console.error(`${writes} writes in a run without kills, ${left.length} plans`);
    const failures: string[] = [];
    const worker = async (): Promise<void> => {
      for (let plan = left.shift(); plan !== undefined; plan = left.shift()) {
        const { name, rules } = plan;
        await lead(rules).then(
          ({ kills }) => console.error(`survived: ${name} (${kills} times)`),
          (error: unknown) => failures.push(`${name}: ${String(error)}`),
        );
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    expect(failures).toEqual([]);
  }, 7_200_000);
});
