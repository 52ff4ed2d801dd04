import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBed } from './bed.ts';
import { reference, run } from './campaign.ts';
import type { Life } from './life.ts';
import { agentServiceLife, NEW_SECRET } from './lives/agent-service.ts';
import type { Reference } from './oracles.ts';
import { allPlans } from './plans/index.ts';

/** One of each class: the whole campaign is `npm run test:faults`. */
const PLANS = [
  'A2 killed before the answer to write 4 of each turn',
  'B2 all watches lag 2 s behind',
  'C3 every frame comes twice',
  'D8 no list is streamed: the server refuses',
  'E1 writes conflict, four in each turn',
  'F1 deleted in the foreground',
];

/** Without the turn that takes a minute. */
const life: Life = { ...agentServiceLife, turns: agentServiceLife.turns.filter(({ name }) => name !== NEW_SECRET) };

let bed: Awaited<ReturnType<typeof openBed>>;
let known: Reference;
beforeAll(async () => {
  bed = await openBed(() => undefined);
  known = await reference({ bed, life });
});
afterAll(() => bed[Symbol.asyncDispose]());

describe.concurrent('whatever happens between the operator and the API server, the life of an AgentService', () => {
  it.each(PLANS)('ends as it would have: %s', async (name) => {
    const plan = allPlans({ life, lived: known.lived }).find((each) => `${each.id} ${each.name}` === name);
    if (plan === undefined) throw new Error(`there is no plan "${name}"`);
    expect((await run(plan, known, { bed, life })).failures).toEqual([]);
  });
});
