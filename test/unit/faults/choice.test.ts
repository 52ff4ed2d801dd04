import { expect, it } from 'vitest';
import { FEW, isChosen, mixed } from '../../../testing/faults/choice.ts';
import type { PlanChoice } from '../../../testing/faults/options.ts';
import { allPlans } from '../../../testing/faults/plans/index.ts';
import { pooled } from '../../../testing/faults/pool.ts';
import { scenarios } from '../../faults/scenarios/index.ts';

const KILLED = { id: 'A1', name: 'killed after every write' } as const;
const TWICE = { id: 'C3', name: 'every event comes twice' } as const;

it.each<[PlanChoice, boolean, boolean]>([
  ['all', true, true],
  ['few', true, true],
  ['A1', true, false],
  ['every', true, true],
  ['C3 every event comes twice', false, true],
  [['A1', 'C3'], true, true],
  [/^C/, false, true],
  [({ id }) => id === 'A1', true, false],
])('the choice %s takes its plans', (choice, killed, twice) => {
  expect([isChosen(choice, KILLED), isChosen(choice, TWICE)]).toEqual([killed, twice]);
});

it('the few plans are one of each class, whatever the scenario', () => {
  const [scenario] = scenarios;
  const traffic = { watched: [], watches: 0, reads: 0, streamsLists: false, takesOldLists: false };
  const run = { states: {}, writes: [2], changes: {}, writesAtRest: [], traffic };
  const plans = allPlans({ scenario: scenario!, run, rereadsToken: false });
  expect(plans.filter((plan) => isChosen('few', plan))).toHaveLength(FEW.length);
  expect(FEW.map((name) => name.slice(0, 1)).join('')).toBe('ABCDEF');
});

it('plans are mixed, so that a time that is too short is not spent on one class', () => {
  const plans = ['A1', 'A2', 'A3', 'B1', 'C1', 'C2'].map((id) => ({ id: id as 'A1', name: '' }));
  expect(mixed(plans).map(({ id }) => id)).toEqual(['A1', 'B1', 'C1', 'A2', 'C2', 'A3']);
  expect(mixed([])).toEqual([]);
});

it('a pool starts nothing after its time, and says how much is left', async () => {
  const done: number[] = [];
  const tasks = [1, 2, 3].map((task) => async () => {
    done.push(task);
    await new Promise((resolve) => setTimeout(resolve, 30));
  });
  expect(await pooled(tasks, { atOnce: 1, milliseconds: 10 })).toBe(2);
  expect(done).toEqual([1]);
  expect(await pooled(tasks, { atOnce: 2 })).toBe(0);
  expect(done).toEqual([1, 1, 2, 3]);
});
