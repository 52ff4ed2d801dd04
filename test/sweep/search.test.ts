import { afterAll, beforeAll, expect, it } from 'vitest';
import { finishFirst, searchSpec } from '../cluster/support/search.ts';
import { TrainingUnderTest } from '../cluster/support/training.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { openTestbed } from '../faults/testbed.ts';
import type { Rule } from '../../testing/faults/proxy/rules.ts';
import { type Testbed, World } from '../../testing/faults/world.ts';

const TRIALS = 6;
const AT_A_TIME = 2;

/** How long a search may take where each write of it costs a restart, on a busy machine. */
const PATIENCE_MS = 900_000;

let testbed: Testbed & AsyncDisposable;

beforeAll(async () => {
  testbed = await openTestbed((line) => console.error(line));
});

afterAll(() => testbed[Symbol.asyncDispose]());

/** Leads an operator through a search, and tells its trials. */
async function lead(name: string, rules: readonly Rule[]) {
  await using world = await World.open({ testbed, namespace: `search-${process.pid}-${name}` });
  for (const rule of rules) world.proxy.rules.add(rule);
  const { client: admin } = testbed;
  const search = new TrainingUnderTest(admin, world.namespace, 'search');
  await search.apply({
    ...searchSpec,
    tuning: { ...searchSpec.tuning, maxTrials: TRIALS, parallelTrials: AT_A_TIME },
  });
  world.start();
  const { status } = await eventually(
    async () => {
      const seen = await search.get();
      const { succeeded = 0 } = seen.status?.tuning ?? {};
      await finishFirst(admin, world.namespace, Math.min(AT_A_TIME, TRIALS - succeeded));
      expect(seen.status?.phase).toBe('Completed');
      return seen;
    },
    { timeout: PATIENCE_MS },
  );
  console.error(`${name}: ${world.kills} kills in ${world.proxy.writes} writes`);
  const trials = status?.tuning?.trials.map(({ number, assignments, value }) => ({ number, assignments, value }));
  return { trials, best: status?.tuning?.best, kills: world.kills };
}

it('a search has the same trials where the operator is killed after each of its writes, or before their answers', async () => {
  const clean = await lead('clean', []);
  expect(clean.trials).toHaveLength(TRIALS);
  const after: Rule = { on: { write: true }, times: Infinity, fault: { do: 'kill', at: 'answered' } };
  const before: Rule = { on: { write: true }, times: Infinity, fault: { do: 'kill', at: 'committed' } };
  for (const [name, rule] of [
    ['after', after],
    ['before', before],
  ] as const) {
    const { trials, best, kills } = await lead(name, [rule]);
    expect({ trials, best }).toEqual({ trials: clean.trials, best: clean.best });
    expect(kills).toBeGreaterThan(20);
  }
}, 1_800_000);
