import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reference, runPlan } from '../../testing/faults/campaign.ts';
import type { Reference } from '../../testing/faults/oracles.ts';
import { allPlans } from '../../testing/faults/plans/index.ts';
import { openTestbed } from '../faults/testbed.ts';
import { startLws } from './support/lws.ts';
import { groupsScenario as scenario } from './support/scenario.ts';

let testbed: Awaited<ReturnType<typeof openTestbed>>;
let known: Reference;
beforeAll(async () => {
  testbed = await openTestbed(() => undefined, startLws);
  known = await reference({ testbed, scenario });
}, 300_000);
afterAll(() => testbed[Symbol.asyncDispose]());

describe('no matter what happens between the operator and the API server', () => {
  it('replicas of several pods end as they would have', { timeout: 900_000 }, async () => {
    const plans = allPlans({ scenario, run: known.run, rereadsToken: true });
    // The first and the middle one of each class: killed after a write, stale views, lost events, refusals and so on.
    const chosen = [...Map.groupBy(plans, ({ id }) => id.charAt(0)).values()].flatMap((all) => [
      ...new Set([all[0], all[Math.floor(all.length / 2)]].filter((plan) => plan !== undefined)),
    ]);
    expect(chosen.length).toBeGreaterThan(5);
    const results = await Promise.all(chosen.map((plan) => runPlan(plan, known, { testbed, scenario })));
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  });
});
