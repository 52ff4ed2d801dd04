import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KubeClient } from '../../operator/kube/client.ts';
import { connect } from '../../operator/kube/connection.ts';
import { expectEnd, leadEightRanks, ownNodes, watchOverlaps } from '../cluster/support/eight-ranks.ts';
import { openBed } from '../faults/bed.ts';
import { killedAlways, type Plan } from '../faults/plans.ts';
import { type Bed, World } from '../faults/world.ts';

/** How many worlds there are at once: nearly all of their time they wait for pods of a node that is lost. */
const PARALLEL = 6;

/** How long a step may take where each write of it costs a restart, on a busy machine. */
const PATIENCE_MS = 240_000;

let bed: Bed & AsyncDisposable;
let admin: KubeClient;

beforeAll(async () => {
  bed = await openBed((line) => console.error(line));
  const { url, ca, adminToken } = bed;
  const connection = { url, ca, authorization: `Bearer ${adminToken}`, namespace: 'default' };
  admin = new KubeClient({ connection: connect({ from: 'fixed', connection }), userAgent: 'sweep' });
});

afterAll(async () => {
  await admin.close();
  await bed[Symbol.asyncDispose]();
});

/** What became of an operator that was led through the eight ranks while a plan was in force. */
interface Outcome {
  readonly writes: number;
  readonly kills: number;
}

/** Of the points at which it may be killed every n-th, by TRUNNION_SWEEP_EVERY. */
const EVERY = Number(process.env['TRUNNION_SWEEP_EVERY'] ?? 1);

/** Each write as a point to be killed at: right after its answer has gone out, and before it has. */
const crashPoints = (writes: number): Pick<Plan, 'name' | 'rules'>[] =>
  Array.from({ length: writes }, (_, write) =>
    (['answered', 'committed'] as const).map((at) => ({
      name: `killed ${at === 'answered' ? 'after' : 'before the answer of'} write ${write + 1}`,
      rules: [{ on: { write: true }, skip: write, fault: { do: 'kill', at } }] as const,
    })),
  )
    .flat()
    .filter((_, index) => index % EVERY === 0);

let places = 0;

async function lead(rules: Plan['rules']): Promise<Outcome> {
  const place = (places = (places + 1) % 50);
  await using world = await World.open({ bed, namespace: `sweep-${process.pid}-${place}` });
  for (const rule of rules) world.proxy.rules.add(rule);
  const nodes = await ownNodes(admin, place);
  const overlaps = watchOverlaps(admin, world.namespace);
  try {
    world.start();
    const { namespace } = world;
    expectEnd(await leadEightRanks({ admin, namespace, nodes, patience: PATIENCE_MS }), nodes);
    expect(overlaps.seen).toEqual([]);
    return { writes: world.proxy.writes, kills: world.kills };
  } finally {
    await overlaps.stop();
    await nodes.remove();
  }
}

describe('a DistributedTraining of 8 ranks that fail, are lost and preempted comes to the same end', () => {
  it('where the operator is killed after every write', async () => {
    const { writes, kills } = await lead(killedAlways.rules);
    console.error(`killed ${kills} times in ${writes} writes`);
    expect(kills).toBeGreaterThan(20);
  }, 1_800_000);

  it('where it is killed once, after any of its writes or before the answer to it', async () => {
    const { writes } = await lead([]);
    const plans = crashPoints(writes);
    console.error(`${writes} writes, ${plans.length} plans`);
    const failures: string[] = [];
    const worker = async (): Promise<void> => {
      for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) {
        const { name, rules } = plan;
        await lead(rules).then(
          ({ kills }) => console.error(`survived ${name} (${kills} kills)`),
          (error: unknown) => failures.push(`${name}: ${String(error)}`),
        );
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    expect(failures).toEqual([]);
  }, 7_200_000);
});
