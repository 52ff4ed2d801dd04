import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestbed } from './testbed.ts';
import { reference, runPlan } from '../../testing/faults/campaign.ts';
import type { Reference } from '../../testing/faults/oracles.ts';
import { allPlans } from '../../testing/faults/plans/index.ts';
import type { Scenario } from '../../testing/faults/scenario.ts';
import { agentServiceScenario, NEW_SECRET } from './scenarios/agent-service.ts';

/** One of each class: the whole campaign is `npm run test:faults`. */
const PLANS = [
  'A2 killed before the answer to write 4 of each step',
  'B2 all watches lag 2 s behind',
  'C3 every event comes twice',
  'D8 no list is streamed: the server refuses',
  'E1 writes conflict, four in each step',
  'F1 deleted in the foreground',
];

/** Without the step that takes a minute. */
const scenario: Scenario = {
  ...agentServiceScenario,
  steps: agentServiceScenario.steps.filter(({ name }) => name !== NEW_SECRET),
};

let testbed: Awaited<ReturnType<typeof openTestbed>>;
let known: Reference;
beforeAll(async () => {
  testbed = await openTestbed(() => undefined);
  known = await reference({ testbed, scenario });
});
afterAll(() => testbed[Symbol.asyncDispose]());

describe.concurrent('no matter what happens between the operator and the API server, the scenario of an AgentService', () => {
  it.each(PLANS)('ends as it would have: %s', async (name) => {
    const plan = allPlans({ scenario, run: known.run, rereadsToken: true }).find(
      (each) => `${each.id} ${each.name}` === name,
    );
    if (plan === undefined) throw new Error(`there is no plan "${name}"`);
    expect((await runPlan(plan, known, { testbed, scenario })).failures).toEqual([]);
  });
});
